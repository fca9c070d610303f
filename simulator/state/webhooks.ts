import type { DatabaseSync } from 'node:sqlite';
import { channels, type Breaker, type Channel, type Target } from '../model/delivery.ts';
import { nullableTextOf, numberOf, textOf, wordOf, type Row } from './columns.ts';

/** The addresses that applications have their events sent to. */
export interface WebhookStore {
  /** Adds an address of the issuance channel, or replaces the token of a known one. Its breaker is left as it is. */
  register(appKey: string, url: string, token: string): Target;
  /** Replaces the list of the verification channel. What is owed to an address that leaves it still goes out. */
  setVerificationUrls(appKey: string, urls: readonly string[]): void;
  /** Where new events of the channel go. */
  targetsOf(appKey: string, channel: Channel): Target[];
  byId(id: number): Target | undefined;
  setBreaker(id: number, breaker: Breaker): void;
}

/** Where addresses are kept. */
export const webhookTables = `
  CREATE TABLE webhook_targets (
    id INTEGER PRIMARY KEY,
    app_key TEXT NOT NULL,
    channel TEXT NOT NULL,
    url TEXT NOT NULL,
    token TEXT, -- NULL: none is sent
    is_listed INTEGER NOT NULL, -- 0: gets no new events
    failures_in_a_row INTEGER NOT NULL DEFAULT 0,
    is_open INTEGER NOT NULL DEFAULT 0, -- of its breaker
    UNIQUE (app_key, channel, url)
  ) STRICT;
`;

/** The addresses that this database keeps. */
export function openWebhooks(database: DatabaseSync): WebhookStore {
  const run = statements(database);
  const add = (appKey: string, channel: Channel, url: string, token: string | null): Target => {
    const row = run.add.get(appKey, channel, url, token);
    if (!row) throw new Error('the table of webhook targets took no row');
    return targetOf(row);
  };
  return {
    register: (appKey, url, token) => add(appKey, 'issuance', url, token),
    setVerificationUrls(appKey, urls) {
      run.unlist.run(appKey);
      for (const url of urls) add(appKey, 'verification', url, null);
    },
    targetsOf: (appKey, channel) => run.listed.all(appKey, channel).map(targetOf),
    byId(id) {
      const row = run.byId.get(id);
      return row && targetOf(row);
    },
    setBreaker: (id, { failuresInARow, isOpen }) => void run.setBreaker.run(failuresInARow, isOpen ? 1 : 0, id),
  };
}

function statements(database: DatabaseSync) {
  return {
    add: database.prepare(`INSERT INTO webhook_targets (app_key, channel, url, token, is_listed) VALUES (?, ?, ?, ?, 1)
      ON CONFLICT DO UPDATE SET token = excluded.token, is_listed = 1 RETURNING *`),
    unlist: database.prepare("UPDATE webhook_targets SET is_listed = 0 WHERE app_key = ? AND channel = 'verification'"),
    listed: database.prepare(
      'SELECT * FROM webhook_targets WHERE app_key = ? AND channel = ? AND is_listed = 1 ORDER BY id',
    ),
    byId: database.prepare('SELECT * FROM webhook_targets WHERE id = ?'),
    setBreaker: database.prepare('UPDATE webhook_targets SET failures_in_a_row = ?, is_open = ? WHERE id = ?'),
  };
}

function targetOf(row: Row): Target {
  return {
    id: numberOf(row, 'id'),
    appKey: textOf(row, 'app_key'),
    channel: wordOf(row, 'channel', channels),
    url: textOf(row, 'url'),
    token: nullableTextOf(row, 'token'),
    breaker: { failuresInARow: numberOf(row, 'failures_in_a_row'), isOpen: numberOf(row, 'is_open') === 1 },
  };
}
