import { parseArgs } from 'node:util';
import { ArgumentError, parsedOrRefused } from '../../runner/command-line/argument-error.ts';
import { limits, mostUploads } from './search.ts';

/** What the command line asks for. */
export type ProfileArguments = { readonly command: 'check'; readonly folder?: string } | InitArguments;

/** What is asked of a search for a profile. */
export interface InitArguments {
  readonly command: 'init';
  readonly folder: string;
  /** Folders whose files are tried first. */
  readonly from: readonly string[];
  readonly isForced: boolean;
  /** Only to say what would be tried. */
  readonly isPlan: boolean;
}

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
