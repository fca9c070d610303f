import type { DatabaseSync } from 'node:sqlite';
import type { AuthorityRecord } from '../model/invoice.ts';
import { Remembered, textOf } from './rows.ts';

/** The authority's records, common to all applications. */
export interface AuthorityRecords {
  find(chave: string): AuthorityRecord | undefined;
  put(chave: string, record: AuthorityRecord): void;
}

/** Where the records are kept. */
export const authorityTables = `
  CREATE TABLE authority_records (
    chave TEXT PRIMARY KEY,
    record TEXT NOT NULL -- JSON
  ) STRICT;
`;

/** The records that this database keeps. */
export function openAuthorityRecords(database: DatabaseSync): AuthorityRecords {
  const find = database.prepare('SELECT record FROM authority_records WHERE chave = ?');
  const put = database.prepare('INSERT OR REPLACE INTO authority_records VALUES (?, ?)');
  const known = new Remembered<AuthorityRecord>(database);
  return {
    find: (chave) =>
      known.of(chave, () => {
        const row = find.get(chave);
        return row && parseRecord(textOf(row, 'record'));
      }),
    put(chave, record) {
      known.forget();
      put.run(chave, JSON.stringify(record));
    },
  };
}

// What this store wrote as JSON comes back as it was.
const parseRecord: (json: string) => AuthorityRecord = JSON.parse;
