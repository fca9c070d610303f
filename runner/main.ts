import { catalogue } from '../contract/catalogue.ts';
import { ArgumentError } from './argument-error.ts';
import { isRepetition, readArguments, usage, type Arguments } from './arguments.ts';
import { keepCompiledCode } from './compiled-code.ts';
import { loadEnvironment } from './environment.ts';
import { lastWord } from './last-word.ts';
import { explainLines, listLines } from './list.ts';
import { repeatSettings } from './report-folder.ts';
import { clauseToExplain } from './select.ts';
import { heedSignals } from './interruption.ts';
import { SettingError } from './setting-error.ts';
import { readSettings } from './settings.ts';
import { keepHeapsSmall } from './small-heap.ts';

/**
 * What `npm test` does; gives the exit status: 0 conformant or incomplete, 1 nonconformant or less than required, 2 error or
 * a bad setting.
 */
async function main(words: readonly string[]): Promise<number> {
  const asked = readArguments(words);
  const answer = linesWithoutRun(asked);
  if (answer) {
    print(answer);
    return 0;
  }
  const environment = loadEnvironment('.env', process.env);
  const settings = readSettings(environment);
  // What does the work is loaded only now: it takes longer to load than a bad setting to be found.
  if (asked.judge !== undefined) {
    const { judgeAgain } = await import('./judge-again.ts');
    return judgeAgain(asked.judge, settings);
  }
  keepHeapsSmall();
  if (asked.repeat !== undefined) {
    const { repeatFindings } = await import('./repeat-findings.ts');
    return repeatFindings(asked, asked.repeat, settings, environment, interruption);
  }
  if (asked.plan) {
    const { planLines } = await import('./plan/command.ts');
    print(await planLines(asked, settings, environment));
    return 0;
  }
  // Who names a folder for this very command finds the reports there.
  const isBelow = isRepetition(asked) && !process.env['NFE_REPORT_DIR'];
  const { conformanceRun } = await import('./conformance-run.ts');
  return conformanceRun(asked, isBelow ? repeatSettings(settings) : settings, environment, interruption);
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
/** Says at once that the signal was heard. */
const interruption = heedSignals((signal) => {
  process.stderr.write(`${signal}: the reports of what was judged so far are written; once more ends at once\n`);
});

function linesWithoutRun(asked: Arguments): string[] | undefined {
  if (asked.help) return [usage];
  if (asked.explain !== undefined) return explainLines(clauseToExplain(asked.explain));
  if (asked.list) return listLines(catalogue);
  return undefined;
}

keepCompiledCode();
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isExpected = error instanceof SettingError || error instanceof ArgumentError;
  const text = isExpected ? error.message : lastWord('the suite', error, process.env);
  process.stderr.write(`error: ${text}\n`);
  process.exitCode = 2;
}
interruption.end();
// Threads of the run may be in the middle of a request.
if (interruption.signal() !== undefined) process.exit();
