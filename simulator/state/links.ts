import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { documentKinds, type Link } from '../model/link.ts';
import { numberOf, textOf, wordOf } from './columns.ts';

/** Links to documents, by tokens that nobody can guess. */
export interface LinkStore {
  /** A token of 192 random bits for that link. */
  add(link: Link): string;
  find(token: string): Link | undefined;
  /** Forgets the links of an application that have been dead for a while. */
  prune(appKey: string, deadSinceMs: number): void;
}

/** Where links are kept. */
export const linkTables = `
  CREATE TABLE links (
    token TEXT PRIMARY KEY,
    invoice_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    app_key TEXT NOT NULL,
    expires_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX links_by_expiry ON links (app_key, expires_ms);
`;

const tokenBytes = 24;
/** By the application's clock. */
const prunedEveryMs = 60_000;

/** Random bytes for tokens: each drawing asks the system, which takes longer than all else that a link takes. */
let drawn = Buffer.alloc(0);

function freshToken(): string {
  if (drawn.length === 0) drawn = randomBytes(tokenBytes * 256);
  const token = drawn.toString('base64url', 0, tokenBytes);
  drawn = drawn.subarray(tokenBytes);
  return token;
}

/** The links that this database keeps. */
export function openLinks(database: DatabaseSync): LinkStore {
  const add = database.prepare('INSERT INTO links VALUES (?, ?, ?, ?, ?)');
  const find = database.prepare('SELECT * FROM links WHERE token = ?');
  const pruned = new Map<string, number>();
  const prune = database.prepare('DELETE FROM links WHERE app_key = ? AND expires_ms < ?');
  return {
    add({ invoiceId, kind, appKey, expiresMs }) {
      const token = freshToken();
      add.run(token, invoiceId, kind, appKey, expiresMs);
      return token;
    },
    find(token) {
      const row = find.get(token);
      if (!row) return undefined;
      return {
        invoiceId: numberOf(row, 'invoice_id'),
        kind: wordOf(row, 'kind', documentKinds),
        appKey: textOf(row, 'app_key'),
        expiresMs: numberOf(row, 'expires_ms'),
      };
    },
    prune(appKey, deadSinceMs) {
      if (deadSinceMs - (pruned.get(appKey) ?? -Infinity) < prunedEveryMs) return;
      pruned.set(appKey, deadSinceMs);
      prune.run(appKey, deadSinceMs);
    },
  };
}
