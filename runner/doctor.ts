import { parseArgs } from 'node:util';
import { maskFor } from '../client/mask.ts';
import { ArgumentError } from './argument-error.ts';
import { diagnose, type Secrets } from './doctor/diagnose.ts';
import type { Finding } from './doctor/finding.ts';
import { asJson, conclusion, findingLine, shown } from './doctor/show.ts';

const usage = `npm run doctor [-- options]

Examines settings, network and target before a run, and says what to do.
Ends with 0 when npm test is worth its while, with 2 when a run could not be fair.

  --json   print the same as JSON
  --help   print this`;

/** What `npm run doctor` does; gives the exit status. */
async function main(words: string[]): Promise<number> {
  const { json = false, help = false } = readFlags(words);
  if (help) {
    print(usage);
    return 0;
  }
  const colour = process.stdout.isTTY && !process.env['NO_COLOR'];
  const secrets: Secrets = new Map();
  const all: Finding[] = [];
  const coverage = await diagnose(process.env, secrets, (findings) => {
    const fit = findings.map((finding) => shown(finding, maskFor(secrets)));
    all.push(...fit);
    if (!json) for (const finding of fit) print(findingLine(finding, colour));
  });
  const { isReady, sentence } = conclusion(all, coverage);
  print(json ? asJson(all, coverage) : `\n${sentence}`);
  return isReady ? 0 : 2;
}

function readFlags(words: string[]): { json?: boolean; help?: boolean } {
  try {
    return parseArgs({ args: words, options: { json: { type: 'boolean' }, help: { type: 'boolean' } } }).values;
  } catch {
    throw new ArgumentError('npm run doctor takes --json or --help, and nothing else');
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isExpected = error instanceof ArgumentError;
  const text = isExpected ? error.message : `the doctor broke: ${error instanceof Error ? error.stack : String(error)}`;
  process.stderr.write(`error: ${text}\n`);
  process.exitCode = 2;
}
