import { parseArgs } from 'node:util';
import { ArgumentError } from '../runner/command-line/argument-error.ts';
import { asJson, conclusion, doctorLines, shown } from './doctor-lines.ts';
import { languageIn } from '../runner/settings/setting-kinds.ts';
import { sayIn } from '../runner/portuguese/in-portuguese.ts';
import { diagnose } from '../runner/preflight/diagnose.ts';
import { print } from '../runner/command-line/print.ts';

/** What `--help` prints. */
export const usage = `npm run doctor -- [options]

Examines settings, network and target as npm test does before a run, and says what to do.
Ends with 0 when npm test is worth its while, with 2 when a run could not be fair.
Nothing stays at somebody's server: of the profile it tries documents and numbers, not companies and invoices.

  --try    try these as well, as npm test does: two companies and three invoices in Homologacao may stay there
  --json   print all that was found, as JSON
  --help   print this`;

/** What `npm run doctor` does; gives the exit status. */
export async function run(words: readonly string[]): Promise<number> {
  const { json = false, try: isTried = false } = readFlags(words);
  const colour = process.stdout.isTTY && !process.env['NO_COLOR'];
  const {
    findings,
    coverage,
    mask,
    language = languageIn(process.env),
  } = await diagnose(process.env, {
    isHarmless: !isTried,
  });
  const say = sayIn(language);
  const fit = findings.map((finding) => shown(finding, mask));
  const { isReady, sentence, next } = conclusion(fit, coverage);
  if (json) print(asJson(fit, coverage));
  else {
    const ending = next === undefined ? [] : [`${say('Next')}: ${say(next)}`];
    print(...doctorLines(fit, colour, say), say(sentence), ...ending);
  }
  return isReady ? 0 : 2;
}

const flags = { json: { type: 'boolean' }, try: { type: 'boolean' } } as const;

function readFlags(words: readonly string[]): { json?: boolean; try?: boolean } {
  try {
    return parseArgs({ args: [...words], options: flags }).values;
  } catch {
    throw new ArgumentError('npm run doctor takes --try, --json or --help, and nothing else');
  }
}
