import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { SettingError } from '../settings.ts';
import { applicationTables } from './applications.ts';
import { invoiceTables } from './invoices.ts';
import { outboxTables } from './outbox.ts';
import { inTransaction } from './rows.ts';
import { authorityTables, verificationTables } from './verifications.ts';
import { webhookTables } from './webhooks.ts';
import { empresaTables } from './empresas.ts';
import { linkTables } from './links.ts';

/** Marks a file as a simulator's: "NFes" in ASCII. */
const applicationId = 0x4e466573;

/** Grows by one with every change of the tables. */
const schemaVersion = 4;

const tables = [
  applicationTables,
  empresaTables,
  invoiceTables,
  linkTables,
  authorityTables,
  verificationTables,
  webhookTables,
  outboxTables,
];

/** Opens the data file, or a database in memory without one; refuses a file that this simulator can't go on with. */
export function openDatabase(dataFile: string | undefined): DatabaseSync {
  if (dataFile === undefined) return prepared(new DatabaseSync(':memory:'), 'memory');
  if (dataFile === '')
    throw new SettingError('dataFile', 'the name of the data file is empty; give it one or leave it out');
  let database: DatabaseSync | undefined;
  try {
    ownFile(dataFile);
    database = new DatabaseSync(dataFile);
    // One owner at a time: two simulators on one file would both send what is due.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    return prepared(database, dataFile);
  } catch (error) {
    database?.close();
    if (error instanceof SettingError) throw error;
    throw new SettingError('dataFile', `${dataFile} can't be used as data file: ${reason(error)}`);
  }
}

/** Secrets and keys stand in it: nobody but its owner may read it. What SQLite puts beside it has the same mode. */
function ownFile(dataFile: string): void {
  closeSync(openSync(dataFile, 'a', 0o600));
  try {
    chmodSync(dataFile, 0o600);
  } catch (error) {
    // Of somebody else's file its owner decides.
    if (codeOf(error) !== 'EPERM') throw error;
  }
}

function prepared(database: DatabaseSync, dataFile: string): DatabaseSync {
  if (isEmpty(database)) {
    inTransaction(database, () => {
      for (const sql of tables) database.exec(sql);
      database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
    });
  }
  refuseForeign(database, dataFile);
  // Of a large file, 32 MiB are kept at hand in place of two: a look into 100,000 records reads no page then.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32768');
  return database;
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}

function refuseForeign(database: DatabaseSync, dataFile: string): void {
  if (pragma(database, 'application_id') !== applicationId) {
    throw new SettingError('dataFile', `${dataFile} is a database of something else; name another file`);
  }
  const version = pragma(database, 'user_version');
  if (version !== schemaVersion) {
    throw new SettingError(
      'dataFile',
      `${dataFile} has schema version ${String(version)}, this simulator needs ${schemaVersion}; name a new file`,
    );
  }
}

function pragma(database: DatabaseSync, name: string): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name];
}

/** What SQLite's usual refusals mean for the person who named the file. */
const reasons: Readonly<Record<number, string>> = {
  5: 'another simulator has it open; stop that one or name another file',
  8: 'it is read-only; change its permissions or name another file',
  11: 'it is damaged; restore it or name another file',
  14: "it can't be opened or created; check the folder and its permissions",
  26: 'it is no SQLite database; name another file',
};

/** The same of what the system says before SQLite has seen the file. */
const systemReasons: Readonly<Record<string, number>> = { ENOENT: 14, EACCES: 14, EISDIR: 14, ENOTDIR: 14, EROFS: 8 };

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : -1;
  return reasons[systemReasons[codeOf(error)] ?? code] ?? (error instanceof Error ? error.message : String(error));
}
