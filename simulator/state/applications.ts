import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { applicationStates, integratorStates } from '../../contract/standing.ts';
import { nfeOutcomes } from '../../contract/states.ts';
import {
  type Application,
  type ApplicationSettings,
  type AuthoritySteering,
  defaultSettings,
} from '../model/application.ts';
import {
  inTransaction,
  nullableNumberOf,
  nullableTextOf,
  numberOf,
  Remembered,
  type Row,
  textOf,
  wordOf,
} from './rows.ts';

/** The applications, with their App Secrets. */
export interface ApplicationStore {
  /** Makes an application with a fresh secret; defaults for what is not wished, an App Key where none is given. */
  create(wish: Partial<ApplicationSettings>, appKey?: string): { application: Application; appSecret: string };
  findBySecret(secret: string): Application | undefined;
  findByKey(appKey: string): Application | undefined;
  /** In the order in which they were made. */
  list(): Application[];
  /** The application with its changes; `undefined` when there is none of that key. */
  update(appKey: string, changes: Partial<ApplicationSettings>): Application | undefined;
  /** Oldest first; the last one is the current one. */
  secretsOf(appKey: string): readonly string[];
  /** A fresh secret; `secretsAfter` tells which are valid from now on. `undefined` when there is no such application. */
  rotate(appKey: string, secretsAfter: SecretsAfterRotation): string | undefined;
}

type SecretsAfterRotation = (oldSecrets: readonly string[], fresh: string) => readonly string[];

/** Where applications and their secrets are kept. */
export const applicationTables = `
  CREATE TABLE applications (
    app_key TEXT PRIMARY KEY,
    app_name TEXT NOT NULL,
    integrator_id TEXT NOT NULL,
    state TEXT NOT NULL,
    integrator_state TEXT NOT NULL,
    subscriptions TEXT, -- JSON array of scopes; NULL: all
    rate_limit INTEGER, -- NULL: none
    rate_window_seconds REAL,
    clock_ms INTEGER, -- where the test clock stands; NULL: system clock
    settle_seconds REAL NOT NULL,
    authority_outcome TEXT, -- NULL: each invoice decides
    authority_motivo TEXT,
    authority_reachable INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE application_secrets (
    id INTEGER PRIMARY KEY, -- in the order in which they were handed out
    secret TEXT NOT NULL UNIQUE,
    app_key TEXT NOT NULL REFERENCES applications
  ) STRICT;
  CREATE INDEX secrets_of_application ON application_secrets (app_key);
`;

/** The applications that this database keeps. */
export function openApplications(database: DatabaseSync): ApplicationStore {
  const run = statements(database);
  const found = (row: Row | undefined): Application | undefined => row && applicationOf(row);
  const [byKey, bySecret] = [new Remembered<Application>(database), new Remembered<Application>(database)];
  const forget = (): void => [byKey, bySecret].forEach((known) => known.forget());
  const findByKey = (appKey: string): Application | undefined => byKey.of(appKey, () => found(run.byKey.get(appKey)));
  const secretsOf = (appKey: string): string[] => run.secrets.all(appKey).map((row) => textOf(row, 'secret'));
  return {
    findByKey,
    secretsOf,
    findBySecret: (secret) => bySecret.of(secret, () => found(run.bySecret.get(secret))),
    list: () => run.all.all().map(applicationOf),
    create(wish, appKey = newAppKey()) {
      const application = { ...defaultSettings, appName: appKey, ...wish, appKey, integratorId: newIntegratorId() };
      const appSecret = newSecret();
      inTransaction(database, () => {
        run.insert.run(columnsOf(application));
        run.addSecret.run(appSecret, appKey);
      });
      return { application, appSecret };
    },
    update(appKey, changes) {
      const before = findByKey(appKey);
      if (!before) return undefined;
      const after = { ...before, ...changes };
      run.update.run(columnsOf(after));
      forget();
      return after;
    },
    rotate(appKey, secretsAfter) {
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
    byKey: database.prepare('SELECT * FROM applications WHERE app_key = ?'),
    bySecret: database.prepare(
      'SELECT a.* FROM application_secrets s JOIN applications a USING (app_key) WHERE s.secret = ?',
    ),
    all: database.prepare('SELECT * FROM applications ORDER BY rowid'),
    insert: database.prepare(`INSERT INTO applications VALUES (:app_key, :app_name, :integrator_id, :state,
      :integrator_state, :subscriptions, :rate_limit, :rate_window_seconds, :clock_ms, :settle_seconds,
      :authority_outcome, :authority_motivo, :authority_reachable)`),
    update: database.prepare(`UPDATE applications SET app_name = :app_name, integrator_id = :integrator_id,
      state = :state, integrator_state = :integrator_state, subscriptions = :subscriptions, rate_limit = :rate_limit,
      rate_window_seconds = :rate_window_seconds, clock_ms = :clock_ms, settle_seconds = :settle_seconds,
      authority_outcome = :authority_outcome, authority_motivo = :authority_motivo,
      authority_reachable = :authority_reachable WHERE app_key = :app_key`),
    secrets: database.prepare('SELECT secret FROM application_secrets WHERE app_key = ? ORDER BY id'),
    addSecret: database.prepare('INSERT INTO application_secrets (secret, app_key) VALUES (?, ?)'),
    dropSecrets: database.prepare('DELETE FROM application_secrets WHERE app_key = ?'),
  };
}

function newAppKey(): string {
  return `app-${randomBytes(5).toString('hex')}`;
}

function newIntegratorId(): string {
  return `integrator-${randomBytes(5).toString('hex')}`;
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The application that a row of the table `applications` keeps. */
function applicationOf(row: Row): Application {
  const limit = nullableNumberOf(row, 'rate_limit');
  const windowSeconds = nullableNumberOf(row, 'rate_window_seconds');
  return {
    appKey: textOf(row, 'app_key'),
    appName: textOf(row, 'app_name'),
    integratorId: textOf(row, 'integrator_id'),
    state: wordOf(row, 'state', applicationStates),
    integratorState: wordOf(row, 'integrator_state', integratorStates),
    subscriptions: scopesOf(nullableTextOf(row, 'subscriptions')),
    rateLimit: limit === null || windowSeconds === null ? null : { limit, windowSeconds },
    clock: nullableNumberOf(row, 'clock_ms') ?? 'system',
    settleSeconds: numberOf(row, 'settle_seconds'),
    authority: steeringOf(row),
  };
}

/** The columns that keep an application, by the names of their parameters. */
function columnsOf(application: Application): Record<string, string | number | null> {
  const { subscriptions, rateLimit, clock, authority } = application;
  return {
    app_key: application.appKey,
    app_name: application.appName,
    integrator_id: application.integratorId,
    state: application.state,
    integrator_state: application.integratorState,
    subscriptions: subscriptions === 'all' ? null : JSON.stringify(subscriptions),
    rate_limit: rateLimit?.limit ?? null,
    rate_window_seconds: rateLimit?.windowSeconds ?? null,
    clock_ms: clock === 'system' ? null : clock,
    settle_seconds: application.settleSeconds,
    authority_outcome: authority.issuance?.outcome ?? null,
    authority_motivo: authority.issuance?.motivo ?? null,
    authority_reachable: authority.isReachable ? 1 : 0,
  };
}

function steeringOf(row: Row): AuthoritySteering {
  const isReachable = numberOf(row, 'authority_reachable') === 1;
  if (nullableTextOf(row, 'authority_outcome') === null) return { issuance: null, isReachable };
  const outcome = wordOf(row, 'authority_outcome', nfeOutcomes);
  const motivo = nullableTextOf(row, 'authority_motivo');
  return { issuance: { outcome, ...(motivo === null ? {} : { motivo }) }, isReachable };
}

function scopesOf(json: string | null): 'all' | readonly string[] {
  if (json === null) return 'all';
  const scopes: unknown = JSON.parse(json);
  return Array.isArray(scopes) ? scopes.map(String) : [];
}
