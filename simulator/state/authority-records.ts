import type { DatabaseSync } from 'node:sqlite';
import { fiscalStates } from '../../contract/values.ts';
import type { AuthorityEvent, AuthorityRecord } from '../model/authority-record.ts';
import { nullableTextOf, textOf, wordOf, type Row } from './columns.ts';
import { Remembered } from './remembered.ts';

/** The authority's records, common to all applications. */
export interface AuthorityRecords {
  find(chave: string): AuthorityRecord | undefined;
  put(chave: string, record: AuthorityRecord): void;
}

/** Where the records are kept. */
export const authorityTables = `
  CREATE TABLE authority_records (
    chave TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    c_stat TEXT,
    x_motivo TEXT,
    protocolo_numero TEXT,
    digest_value TEXT,
    data_autorizacao TEXT,
    eventos TEXT NOT NULL -- JSON array
  ) STRICT;
`;

/** The records that this database keeps. */
export function openAuthorityRecords(database: DatabaseSync): AuthorityRecords {
  const find = database.prepare('SELECT * FROM authority_records WHERE chave = ?');
  const put = database.prepare('INSERT OR REPLACE INTO authority_records VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const known = new Remembered<AuthorityRecord>(database);
  return {
    find: (chave) =>
      known.of(chave, () => {
        const row = find.get(chave);
        return row && recordOf(row);
      }),
    put(chave, { status, cStat, xMotivo, protocolo, dataAutorizacao, eventos }) {
      known.forget();
      const { numero = null, digestValue = null } = protocolo ?? {};
      put.run(chave, status, cStat, xMotivo, numero, digestValue, dataAutorizacao, JSON.stringify(eventos));
    },
  };
}

function recordOf(row: Row): AuthorityRecord {
  const numero = nullableTextOf(row, 'protocolo_numero');
  const digestValue = nullableTextOf(row, 'digest_value');
  return {
    status: wordOf(row, 'status', fiscalStates),
    cStat: nullableTextOf(row, 'c_stat'),
    xMotivo: nullableTextOf(row, 'x_motivo'),
    protocolo: numero === null || digestValue === null ? null : { numero, digestValue },
    dataAutorizacao: nullableTextOf(row, 'data_autorizacao'),
    eventos: eventsOf(textOf(row, 'eventos')),
  };
}

function eventsOf(json: string): AuthorityEvent[] {
  const events: unknown = JSON.parse(json);
  return Array.isArray(events) ? events.filter(isEvent) : [];
}

function isEvent(value: unknown): value is AuthorityEvent {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
