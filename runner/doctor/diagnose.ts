import type { TargetAddress } from '../../targets/address.ts';
import { loadEnvironment } from '../environment.ts';
import { SettingError } from '../setting-error.ts';
import { readSettings, secretsOf, type Environment, type Settings } from '../settings.ts';
import type { Coverage } from './clauses.ts';
import { examineTarget } from './examine.ts';
import { problem, skipped, type Report } from './finding.ts';
import { proxySecrets } from './proxy.ts';
import { openSession } from './session.ts';
import { examineSettings, reachableTarget } from './target.ts';

/** Secrets, each with the text that takes its place; more come to light on the way. */
export type Secrets = Map<string, string>;

/**
 * Examines everything that `npm test` goes by, in its order; what makes the rest pointless ends it. Gives the clauses that a
 * run will exercise, where that could be told.
 */
export async function diagnose(
  processEnvironment: Environment,
  secrets: Secrets,
  report: Report,
): Promise<Coverage | undefined> {
  const read = readAll(processEnvironment, report);
  if (!read) {
    report([skipped('everything else', 'it goes by the settings')]);
    return undefined;
  }
  const { settings, environment } = read;
  for (const [name, secret] of secretsOf(settings)) secrets.set(secret, `$${name}`);
  const started = await reachableTarget(settings, environment, report);
  if (!started) {
    report([skipped('everything else', 'it goes by these')]);
    return undefined;
  }
  try {
    return await examineStarted(settings, started.address, secrets, report);
  } finally {
    await started.stop();
  }
}

interface Read {
  readonly settings: Settings;
  readonly environment: Environment;
}

/** The settings as `npm test` reads them; `undefined`, and a problem reported, when they can't be read. */
function readAll(processEnvironment: Environment, report: Report): Read | undefined {
  try {
    const environment = loadEnvironment('.env', processEnvironment);
    const settings = readSettings(environment);
    report([examineSettings(settings)]);
    return { settings, environment };
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    report([
      problem('settings', error.message, 'correct it in .env or in the environment; .env.example lists all settings'),
    ]);
    return undefined;
  }
}

async function examineStarted(
  settings: Settings,
  address: TargetAddress,
  secrets: Secrets,
  report: Report,
): Promise<Coverage> {
  for (const [secret, stand] of proxySecrets(address.network ?? {})) secrets.set(secret, stand);
  const session = openSession(address);
  try {
    return await examineTarget(settings, address, session, (findings) => {
      for (const [secret, stand] of session.target.secrets) secrets.set(secret, stand);
      report(findings);
    });
  } finally {
    await session.target.close();
  }
}
