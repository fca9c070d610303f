import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import type { Mask } from '../../trace/people/words-mask.ts';
import type { Language } from '../../reports/language.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { maskAt, withoutPeople } from '../../targets/mask.ts';
import { profileSecrets } from '../../targets/profile.ts';
import {
  loadEnvironment,
  namedSecrets,
  readSettings,
  type Environment,
  type Settings,
  SettingError,
} from '../settings/settings.ts';
import type { Coverage } from './clauses.ts';
import { examine, type ExaminationWish } from './examine.ts';
import { problem, skipped, type Remark, hasProblem, ok, type Report } from './finding.ts';
import { proxySecrets, judgeProxies } from './proxy.ts';
import type { StartedTarget } from '../../targets/container.ts';
import { readKnownDeviations, readBaseline } from '../settings/setting-files.ts';
import { startTarget } from '../run/start-target.ts';
import { sandboxAddress } from '../settings/target-address.ts';
import { examineCertificates } from './tls.ts';

/** What the doctor found. */
interface Diagnosis {
  readonly findings: readonly Remark[];
  /** The clauses that a run will exercise, where that could be told. */
  readonly coverage?: Coverage;
  readonly mask: Mask;
  /** That of the settings; absent where they can't be read. */
  readonly language?: Language;
}

/**
 * Examines everything that `npm test` goes by, in its order; what makes the rest pointless ends it.
 * @param isHarmless Whether nothing may be left behind at the target.
 */
export async function diagnose(processEnvironment: Environment, wish: ExaminationWish = {}): Promise<Diagnosis> {
  const findings: Remark[] = [];
  const report = (found: readonly Remark[]): void => void findings.push(...found);
  const read = readAll(processEnvironment, report);
  if (!read) {
    report([skipped('everything else', 'it goes by the settings')]);
    return { findings, mask: (text) => text };
  }
  const { settings, environment } = read;
  const { language } = settings;
  const known = namedSecrets(settings);
  const started = await reachableTarget(settings, environment, report);
  if (!started) {
    report([skipped('everything else', 'it goes by these')]);
    return { findings, mask: maskAt({ kind: 'sandbox' }, known), language };
  }
  const { address, stop } = started;
  try {
    const traffic = { memory: ledgerMemory(), budget: 0 };
    const { coverage, secrets } = await examine(settings, address, traffic, report, wish);
    const all = new Map([...known, ...secretsAt(address), ...profileSecrets(settings.profile), ...secrets]);
    return { findings, coverage, mask: withoutPeople(maskAt(address, all), address.people), language };
  } finally {
    await stop();
  }
}

interface Read {
  readonly settings: Settings;
  readonly environment: Environment;
}

/** The settings as `npm test` reads them; `undefined`, and a problem reported, when they can't be read. */
function readAll(processEnvironment: Environment, report: (found: readonly Remark[]) => void): Read | undefined {
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

/** Secrets that an address holds besides those of the settings, each with the text that takes its place. */
export function secretsAt({ network, control }: TargetAddress): [string, string][] {
  return [
    ...proxySecrets(network ?? {}),
    ...(control ? [[control.token, '$NFE_CONTROL_TOKEN'] as [string, string]] : []),
  ];
}

/** Settings as read, and the files that they name. @throws {SettingError} */
function examineSettings(settings: Settings): Remark {
  const { target, baseUrl, baseline, knownDeviations } = settings;
  if (baseline !== undefined) readBaseline(baseline);
  if (knownDeviations !== undefined) readKnownDeviations(knownDeviations);
  if (target === 'embedded') return ok('settings', 'the embedded simulator: nothing needs to be set');
  if (target === 'container')
    return ok('settings', 'the simulator in a container: a Docker engine is all that it needs');
  return ok('settings', `a ${target} at ${baseUrl}`);
}

/** The target of the settings, started if need be; `undefined` when proxies or certificates are unfit to reach it. */
async function reachableTarget(
  settings: Settings,
  environment: Environment,
  report: Report,
): Promise<StartedTarget | undefined> {
  const { baseUrl, controlUrl } = settings;
  if (settings.target !== 'sandbox') {
    report([ok('proxy', 'none: the simulator is on this machine')]);
    return startedOrReported(settings, environment, report);
  }
  const certificates = examineCertificates(environment['NODE_EXTRA_CA_CERTS'], new Date());
  if (hasProblem([certificates])) {
    report([certificates]);
    return undefined;
  }
  const address = sandboxAddress(settings, environment);
  const named = Object.entries({ NFE_BASE_URL: baseUrl, NFE_CONTROL_URL: controlUrl });
  const urls = new Map(named.filter((entry): entry is [string, string] => entry[1] !== undefined));
  const proxies = judgeProxies(address.network ?? {}, urls);
  report([...proxies, certificates]);
  return hasProblem(proxies) ? undefined : { address, stop: () => Promise.resolve() };
}

/** The target that the run starts itself; where it can't, that is reported. */
async function startedOrReported(
  settings: Settings,
  environment: Environment,
  report: Report,
): Promise<StartedTarget | undefined> {
  try {
    return await startTarget(settings, environment);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    report([problem('container', error.message, 'a container is built and run by Docker; `embedded` needs none')]);
    return undefined;
  }
}
