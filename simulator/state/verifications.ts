import type { DatabaseSync } from 'node:sqlite';
import type { AuthorityRecord, Asked, Findings, Verdict, Verification } from '../model.ts';
import { nullableNumberOf, nullableTextOf, numberOf, Remembered, type Row, textOf } from './rows.ts';

/** Where the records are kept. */
export const authorityTables = `
  CREATE TABLE authority_records (
    chave TEXT PRIMARY KEY,
    record TEXT NOT NULL -- JSON
  ) STRICT;
`;

/** The records that this database keeps. */
export function openAuthorityRecords(database: DatabaseSync) {
  const find = database.prepare('SELECT record FROM authority_records WHERE chave = ?');
  const put = database.prepare('INSERT OR REPLACE INTO authority_records VALUES (?, ?)');
  const known = new Remembered<AuthorityRecord>(database);
  return {
    find: (chave: string): AuthorityRecord | undefined =>
      known.of(chave, () => {
        const row = find.get(chave);
        return row && parseRecord(textOf(row, 'record'));
      }),
    put(chave: string, record: AuthorityRecord): void {
      known.forget();
      put.run(chave, JSON.stringify(record));
    },
  };
}

// What this store wrote as JSON comes back as it was.
const parseRecord: (json: string) => AuthorityRecord = JSON.parse;

/** Where verifications are kept. */
export const verificationTables = `
  CREATE TABLE verifications (
    id INTEGER PRIMARY KEY,
    app_key TEXT NOT NULL,
    integrator_id TEXT NOT NULL,
    chave TEXT NOT NULL,
    document_hash TEXT NOT NULL,
    findings TEXT NOT NULL, -- JSON
    verdict TEXT, -- JSON; NULL: the authority is to be asked anew
    due_ms INTEGER -- NULL: has settled
  ) STRICT;
  CREATE INDEX verifications_by_chave ON verifications (chave, integrator_id);
  CREATE INDEX waiting_verifications ON verifications (app_key, due_ms) WHERE due_ms IS NOT NULL;
`;

/** The verifications that this database keeps. */
export function openVerifications(database: DatabaseSync) {
  const run = statements(database);
  return {
    /** Keeps one that settles at that time. Unix milliseconds. */
    add({ appKey, integratorId, documentHash, findings, verdict }: Asked, dueMs: number): void {
      const known = verdict === undefined ? null : JSON.stringify(verdict);
      const { chave } = findings;
      run.add.run(appKey, integratorId, chave, documentHash, JSON.stringify(findings), known, Math.round(dueMs));
    },
    /** The latest one of a chave by an integrator, settled or not. */
    latest(integratorId: string, chave: string): Verification | undefined {
      const row = run.latest.get(chave, integratorId);
      return row && verificationOf(row);
    },
    /** Those of an application that wait and were due at that time or before, oldest first. Unix milliseconds. */
    due: (appKey: string, nowMs: number): Verification[] => run.due.all(appKey, nowMs).map(verificationOf),
    /** The earliest time after that one at which one that waits is due. */
    nextDueMs(appKey: string, afterMs: number): number | undefined {
      const row = run.nextDue.get(appKey, afterMs);
      return row && (nullableNumberOf(row, 'due_ms') ?? undefined);
    },
    settle({ id, integratorId, findings: { chave } }: Verification, verdict: Verdict): void {
      run.settle.run(JSON.stringify(verdict), id);
      run.dropOlder.run(chave, integratorId);
    },
    /** Something happened to that invoice: what is known of it holds no more, for nobody. */
    forgetVerdicts: (chave: string): void => void run.forget.run(chave),
  };
}

function statements(database: DatabaseSync) {
  return {
    add: database.prepare(`INSERT INTO verifications
      (app_key, integrator_id, chave, document_hash, findings, verdict, due_ms) VALUES (?, ?, ?, ?, ?, ?, ?)`),
    latest: database.prepare(
      'SELECT * FROM verifications WHERE chave = ? AND integrator_id = ? ORDER BY id DESC LIMIT 1',
    ),
    due: database.prepare('SELECT * FROM verifications WHERE app_key = ? AND due_ms <= ? ORDER BY due_ms, id'),
    nextDue: database.prepare('SELECT MIN(due_ms) AS due_ms FROM verifications WHERE app_key = ? AND due_ms > ?'),
    settle: database.prepare('UPDATE verifications SET verdict = ?, due_ms = NULL WHERE id = ?'),
    dropOlder: database.prepare(`DELETE FROM verifications WHERE chave = ?1 AND integrator_id = ?2 AND due_ms IS NULL
      AND id < (SELECT MAX(id) FROM verifications WHERE chave = ?1 AND integrator_id = ?2)`),
    forget: database.prepare('UPDATE verifications SET verdict = NULL WHERE chave = ?'),
  };
}

function verificationOf(row: Row): Verification {
  const verdict = nullableTextOf(row, 'verdict');
  return {
    id: numberOf(row, 'id'),
    appKey: textOf(row, 'app_key'),
    integratorId: textOf(row, 'integrator_id'),
    documentHash: textOf(row, 'document_hash'),
    findings: parseFindings(textOf(row, 'findings')),
    verdict: verdict === null ? undefined : parseVerdict(verdict),
  };
}

// What this store wrote as JSON comes back as it was.
const parseFindings: (json: string) => Findings = JSON.parse;
const parseVerdict: (json: string) => Verdict = JSON.parse;
