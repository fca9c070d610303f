import {
  loadEnvironment,
  readSettings,
  namedSecrets,
  type Environment,
  type Settings,
} from '../runner/settings/settings.ts';
import { initProfile, type Print, type InitArguments } from './profile/init.ts';
import { ledgerMemory } from '../targets/traffic/ledger.ts';
import { maskAt, withoutPeople } from '../targets/mask.ts';
import { profileSecrets } from '../targets/profile.ts';
import { findingLine, shown } from './doctor-lines.ts';
import { secretsAt } from '../runner/preflight/diagnose.ts';
import { examine } from '../runner/preflight/examine.ts';
import { refuseUnfair } from '../runner/preflight/finding.ts';
import { startTarget } from '../runner/run/start-target.ts';
import { provedWhen, limits, mostUploads } from './profile/search.ts';
import { parseArgs } from 'node:util';
import { ArgumentError, parsedOrRefused } from '../runner/command-line/argument-error.ts';
import { print } from '../runner/command-line/print.ts';

/** What the command line asks for. */
type ProfileArguments = { readonly command: 'check'; readonly folder?: string } | InitArguments;

const usageLine = 'npm run profile -- init DIR [--from FOLDER] [--force] [--plan] | check [DIR]';

/** What `--help` prints. */
export const usage = `${usageLine}

init DIR      find a profile that suits the target of the settings, and write it to DIR
check [DIR]   try the profile in DIR (that of NFE_PROFILE without one) as npm test does before a run

init tries, on the target and in Homologacao only, the files of every --from folder, of DIR itself (with --force), of
NFE_PROFILE and of profiles/default, in this order; certificates also under other usual names of the parts, numbers that
are to be unknown drawn anew, and the XML of an invoice that it has just had authorised. Each answer is shown. DIR gets
what the target bore out, and proved.json, which says what each file proved, where and when, and what is missing.

At most ${limits.companies} companies, with ${mostUploads} certificate uploads each, and ${limits.invoices} invoices stay at the target; nothing is cancelled, no
address is registered. check leaves two companies and up to three invoices.

  --from FOLDER  try these files first; may be repeated
  --force        overwrite what is in DIR already
  --plan         say what would be tried and send nothing
  --help         print this

Ends with 0 when every part was found (check: came out as the profile says), with 1 when some were not, with 2 when the
target can't be tested.`;

const options = {
  from: { type: 'string', multiple: true },
  force: { type: 'boolean' },
  plan: { type: 'boolean' },
} as const;

/** Reads the command line. Throws an ArgumentError. */
export function readProfileArguments(words: readonly string[]): ProfileArguments {
  const { values, positionals } = parsedOrRefused(
    () => parseArgs({ args: [...words], options, allowPositionals: true }),
    `usage: ${usageLine}`,
  );
  const { from = [], force: isForced = false, plan: isPlan = false } = values;
  const [command, folder, ...others] = positionals;
  const isInit = command === 'init';
  const hasOptions = from.length > 0 || isForced || isPlan;
  if (others.length > 0 || (!isInit && (command !== 'check' || hasOptions)) || folder === '' || from.includes('')) {
    throw new ArgumentError(`usage: ${usageLine}`);
  }
  if (!isInit) return { command: 'check', ...(folder === undefined ? {} : { folder }) };
  if (folder === undefined) throw new ArgumentError(`init takes the folder to write; usage: ${usageLine}`);
  return { command: 'init', folder, from, isForced, isPlan };
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
