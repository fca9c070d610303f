import {
  loadEnvironment,
  readSettings,
  namedSecrets,
  type Environment,
  type Settings,
} from '../runner/settings/settings.ts';
import { readProfileArguments } from './profile/arguments.ts';
import { initProfile, type Print } from './profile/init.ts';
import { ledgerMemory } from '../targets/traffic/ledger.ts';
import { maskAt, withoutPeople } from '../targets/mask.ts';
import { profileSecrets } from '../targets/profile.ts';
import { findingLine, shown } from './doctor/doctor-lines.ts';
import { secretsAt } from '../runner/preflight/diagnose.ts';
import { examine } from '../runner/preflight/examine.ts';
import { refuseUnfair } from '../runner/preflight/finding.ts';
import { startTarget } from '../runner/run/start-target.ts';
import { provedWhen } from './profile/search.ts';

export { usage } from './profile/arguments.ts';

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What `npm run profile` does; gives the exit status: 0 every part was found or held, 1 some were not, 2 an error. */
export async function run(words: readonly string[]): Promise<number> {
  const asked = readProfileArguments(words);
  const environment = loadEnvironment('.env', process.env);
  const settings = readSettings(environment);
  if (asked.command === 'init') return initProfile(asked, settings, environment, print);
  return checkProfile(
    asked.folder === undefined ? settings : { ...settings, profile: asked.folder },
    environment,
    print,
  );
}

/**
 * Tries the profile of the settings as a run does before its first check, and prints what comes of it; gives the exit status:
 * 0 it came out as the profile says, 1 a part of it did not. Refuses a target that can't be tested.
 */
export async function checkProfile(settings: Settings, environment: Environment, print: Print): Promise<number> {
  const traffic = { memory: ledgerMemory(), budget: 0 };
  const { address, stop } = await startTarget(settings, environment);
  try {
    const { findings, proofs, secrets } = await examine(settings, address, traffic);
    refuseUnfair(findings);
    const known = [...profileSecrets(settings.profile), ...secretsAt(address), ...namedSecrets(settings)];
    const mask = withoutPeople(maskAt(address, new Map([...known, ...secrets])), address.people);
    const told = findings.filter(({ examined }) => /^(?:profile|NFE_PROFILE)/.test(examined));
    for (const finding of told) print(findingLine(shown(finding, mask), false));
    const earlier = provedWhen(settings.profile);
    if (earlier) print(`proved.json: it was put together at ${earlier.at} for ${earlier.target}`);
    return proofs.every(({ state }) => state === 'holds') ? 0 : 1;
  } finally {
    await stop();
  }
}
