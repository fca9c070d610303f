import { catalogue } from '../../contract/catalogue.ts';
import type { StartedTarget } from '../../targets/container.ts';
import { readKnownDeviations } from '../settings/known-deviations.ts';
import { readBaseline } from '../settings/setting-files.ts';
import type { Environment, Settings } from '../settings/settings.ts';
import { SettingError } from '../settings/setting-error.ts';
import { startTarget } from '../run/start-target.ts';
import { sandboxAddress } from '../settings/target-address.ts';
import { examineCertificates } from './certificates.ts';
import { hasProblem, ok, problem, type Remark, type Report } from './finding.ts';
import { judgeProxies } from './proxy.ts';

/** Settings as read, and the files that they name. @throws {SettingError} */
export function examineSettings(settings: Settings): Remark {
  const { target, baseUrl, baseline, knownDeviations } = settings;
  if (baseline !== undefined) readBaseline(baseline);
  if (knownDeviations !== undefined) {
    readKnownDeviations(
      knownDeviations,
      catalogue.map(({ id }) => id),
    );
  }
  if (target === 'embedded') return ok('settings', 'the embedded simulator: nothing needs to be set');
  if (target === 'container')
    return ok('settings', 'the simulator in a container: a Docker engine is all that it needs');
  return ok('settings', `a ${target} at ${baseUrl}`);
}

/** The target of the settings, started if need be; `undefined` when proxies or certificates are unfit to reach it. */
export async function reachableTarget(
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
