import { randomBytes, randomUUID, hash, randomInt, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import {
  defaultSettings,
  type Application,
  type ApplicationSettings,
  type Certificate,
  type Empresa,
  type EmpresaData,
  documentKinds,
  type Link,
} from '../model.ts';
import { inTransaction, Remembered, textOf, type Row, nullableTextOf, blobOf } from './rows.ts';

type SecretsAfterRotation = (oldSecrets: readonly string[], fresh: string) => readonly string[];

/** Where applications and their secrets are kept. */
export const applicationTables = `
  CREATE TABLE applications (
    app_key TEXT PRIMARY KEY,
    application TEXT NOT NULL -- JSON
  ) STRICT;
  CREATE TABLE application_secrets (
    id INTEGER PRIMARY KEY, -- in the order in which they were handed out
    secret TEXT NOT NULL UNIQUE,
    app_key TEXT NOT NULL REFERENCES applications
  ) STRICT;
  CREATE INDEX secrets_of_application ON application_secrets (app_key);
`;

/** The applications, with their App Secrets. */
export type ApplicationStore = ReturnType<typeof openApplications>;

/** The applications that this database keeps. */
export function openApplications(database: DatabaseSync) {
  const run = statements(database);
  const found = (row: Row | undefined): Application | undefined => row && applicationOf(row);
  const [byKey, bySecret] = [new Remembered<Application>(database), new Remembered<Application>(database)];
  const forget = (): void => [byKey, bySecret].forEach((known) => known.forget());
  const findByKey = (appKey: string): Application | undefined => byKey.of(appKey, () => found(run.byKey.get(appKey)));
  const secretsOf = (appKey: string): string[] => run.secrets.all(appKey).map((row) => textOf(row, 'secret'));
  return {
    findByKey,
    secretsOf,
    findBySecret: (secret: string): Application | undefined =>
      bySecret.of(secret, () => found(run.bySecret.get(secret))),
    /** In the order in which they were made. */
    list: (): Application[] => run.all.all().map(applicationOf),
    /** Makes an application with a fresh secret; defaults for what is not wished, an App Key where none is given. */
    create(wish: Partial<ApplicationSettings>, appKey = newId('app')): { application: Application; appSecret: string } {
      const application = { ...defaultSettings, appName: appKey, ...wish, appKey, integratorId: newId('integrator') };
      const appSecret = newSecret();
      inTransaction(database, () => {
        run.insert.run(appKey, JSON.stringify(application));
        run.addSecret.run(appSecret, appKey);
      });
      return { application, appSecret };
    },
    /** The application with its changes; `undefined` when there is none of that key. */
    update(appKey: string, changes: Partial<ApplicationSettings>): Application | undefined {
      const before = findByKey(appKey);
      if (!before) return undefined;
      const after = { ...before, ...changes };
      run.update.run(JSON.stringify(after), appKey);
      forget();
      return after;
    },
    /** A fresh secret; `secretsAfter` tells which are valid from now on. `undefined` when there is no such application. */
    rotate(appKey: string, secretsAfter: SecretsAfterRotation): string | undefined {
      if (!findByKey(appKey)) return undefined;
      const fresh = newSecret();
      inTransaction(database, () => {
        const valid = secretsAfter(secretsOf(appKey), fresh);
        run.dropSecrets.run(appKey);
        for (const secret of valid) run.addSecret.run(secret, appKey);
      });
      forget();
      return fresh;
    },
  };
}

function statements(database: DatabaseSync) {
  return {
    byKey: database.prepare('SELECT application FROM applications WHERE app_key = ?'),
    bySecret: database.prepare(
      'SELECT a.application FROM application_secrets s JOIN applications a USING (app_key) WHERE s.secret = ?',
    ),
    all: database.prepare('SELECT application FROM applications ORDER BY rowid'),
    insert: database.prepare('INSERT INTO applications VALUES (?, ?)'),
    update: database.prepare('UPDATE applications SET application = ? WHERE app_key = ?'),
    secrets: database.prepare('SELECT secret FROM application_secrets WHERE app_key = ? ORDER BY id'),
    addSecret: database.prepare('INSERT INTO application_secrets (secret, app_key) VALUES (?, ?)'),
    dropSecrets: database.prepare('DELETE FROM application_secrets WHERE app_key = ?'),
  };
}

function newId(kind: 'app' | 'integrator'): string {
  return `${kind}-${randomBytes(5).toString('hex')}`;
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function applicationOf(row: Row): Application {
  return parseApplication(textOf(row, 'application'));
}

// What this store wrote as JSON comes back as it was.
const parseApplication: (json: string) => Application = JSON.parse;

/** Where companies are kept. A data file holds their private keys in clear. */
export const empresaTables = `
  CREATE TABLE empresas (
    empresa_id TEXT PRIMARY KEY,
    integrator_id TEXT NOT NULL,
    cnpj TEXT NOT NULL,
    data TEXT NOT NULL, -- JSON
    certificate TEXT, -- JSON; NULL: none yet
    UNIQUE (integrator_id, cnpj)
  ) STRICT;
`;

/** The companies that this database keeps. */
export function openEmpresas(database: DatabaseSync) {
  const insert = database.prepare(
    'INSERT INTO empresas VALUES (?, ?, ?, ?, NULL) ON CONFLICT (integrator_id, cnpj) DO NOTHING',
  );
  const find = database.prepare('SELECT * FROM empresas WHERE integrator_id = ? AND empresa_id = ?');
  const associate = database.prepare('UPDATE empresas SET certificate = ? WHERE empresa_id = ?');
  const known = new Remembered<Empresa>(database);
  return {
    /** Keeps a company; `undefined` when the integrator has one with that CNPJ already. */
    create(integratorId: string, data: EmpresaData): Empresa | undefined {
      const empresaId = randomUUID().toUpperCase();
      const { changes } = insert.run(empresaId, integratorId, data.cnpj, JSON.stringify(data));
      return changes === 0 ? undefined : { empresaId, integratorId, data };
    },
    /** A company of that integrator. */
    find: (integratorId: string, empresaId: string): Empresa | undefined =>
      known.of(JSON.stringify([integratorId, empresaId]), () => {
        const row = find.get(integratorId, empresaId);
        return row && empresaOf(row);
      }),
    /** Gives a company its certificate, in place of the one it may have. */
    associate(empresaId: string, certificate: Certificate): void {
      associate.run(JSON.stringify(certificate), empresaId);
      known.forget();
    },
  };
}

function empresaOf(row: Row): Empresa {
  const data = parseData(textOf(row, 'data'));
  const certificate = nullableTextOf(row, 'certificate');
  return {
    empresaId: textOf(row, 'empresa_id'),
    integratorId: textOf(row, 'integrator_id'),
    data,
    ...(certificate === null ? {} : { certificate: parseCertificate(certificate) }),
  };
}

// What this store wrote as JSON comes back as it was.
const parseData: (json: string) => EmpresaData = JSON.parse;
const parseCertificate: (json: string) => Certificate = JSON.parse;

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
