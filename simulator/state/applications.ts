import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { defaultSettings, type Application, type ApplicationSettings } from '../model.ts';
import { inTransaction, Remembered, textOf, type Row } from './rows.ts';

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
