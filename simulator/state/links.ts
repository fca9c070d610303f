import { randomBytes, hash, randomInt, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { documentKinds, type Link } from '../model.ts';
import { blobOf } from './rows.ts';

/** Where the key is kept that tokens are sealed with, so that they outlive a restart. */
export const linkTables = 'CREATE TABLE link_key (key BLOB NOT NULL) STRICT;';

const keyBytes = 32;

/** The tokens that are sealed with the key of this database. */
export function openLinks(database: DatabaseSync) {
  const key = keyOf(database).toString('base64url');
  // Of SHA-3 a hash behind the key is a MAC, in a third of the time that an HMAC takes.
  const seal = (told: string): string => hash('sha3-256', key + told, 'base64url');
  // Not from 0: after a restart a clock that stands still would give the tokens of before once more.
  let given = randomInt(2 ** 47);
  return {
    /** A token for that link which nobody can guess, and no other call gives. */
    of({ kind, invoiceId, expiresMs }: Link): string {
      given += 1;
      const told = `${kind}.${invoiceId}.${expiresMs}.${given}`;
      return `${told}.${seal(told)}`;
    },
    /** The link of a token that this database has given; `undefined` of any other. */
    read(token: string): Link | undefined {
      const end = token.lastIndexOf('.');
      const told = token.slice(0, Math.max(end, 0));
      if (!isSame(token.slice(end + 1), seal(told))) return undefined;
      const [word, invoiceId, expiresMs] = told.split('.');
      const kind = documentKinds.find((known) => known === word);
      return kind && { kind, invoiceId: Number(invoiceId), expiresMs: Number(expiresMs) };
    },
  };
}

/** The key of a database; who opens it first draws one. */
function keyOf(database: DatabaseSync): Buffer {
  const row = database.prepare('SELECT key FROM link_key').get();
  if (row) return blobOf(row, 'key');
  const key = randomBytes(keyBytes);
  database.prepare('INSERT INTO link_key VALUES (?)').run(key);
  return key;
}

function isSame(sent: string, right: string): boolean {
  const [left, other] = [Buffer.from(sent), Buffer.from(right)];
  return left.length === other.length && timingSafeEqual(left, other);
}
