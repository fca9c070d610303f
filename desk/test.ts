import {
  isRepetition,
  readArguments,
  type Arguments,
  clauseToExplain,
  namedClauses,
} from '../runner/command-line/arguments.ts';
import { loadEnvironment, readSettings } from '../runner/settings/settings.ts';
import { explainLines, listLines } from './list.ts';
import { repeatSettings } from '../runner/results/report-folder.ts';
import { heedSignals, type Interruption, keepHeapsSmall } from '../runner/run/own-process.ts';
import { print } from '../runner/command-line/print.ts';

export { usage } from '../runner/command-line/arguments.ts';

/** What `npm test` does, heeding signals; gives the exit status. */
export async function run(words: readonly string[]): Promise<number> {
  const interruption = heedSignals((signal) => {
    process.stderr.write(`${signal}: the reports of what was judged so far are written; once more ends at once\n`);
  });
  try {
    return await judged(words, interruption);
  } finally {
    interruption.end();
    // Threads of the run may be in the middle of a request.
    if (interruption.signal() !== undefined) setImmediate(() => process.exit());
  }
}

/**
 * What `npm test` does; gives the exit status: 0 conformant or incomplete, 1 nonconformant or less than required, 2 error or
 * a bad setting.
 */
async function judged(words: readonly string[], interruption: Interruption): Promise<number> {
  const asked = readArguments(words);
  const answer = linesWithoutRun(asked);
  if (answer) {
    print(...answer);
    return 0;
  }
  const environment = loadEnvironment('.env', process.env);
  const settings = readSettings(environment);
  // What does the work is loaded only now: it takes longer to load than a bad setting to be found.
  if (asked.judge !== undefined) {
    const { judgeAgain } = await import('../runner/judging/judge-again.ts');
    return judgeAgain(asked.judge, settings);
  }
  keepHeapsSmall();
  if (asked.repeat !== undefined) {
    const { repeatFindings } = await import('../runner/run/repeat-findings.ts');
    return repeatFindings(asked, asked.repeat, settings, environment, interruption);
  }
  if (asked.plan) {
    const { planLines } = await import('../runner/plan/command.ts');
    print(...(await planLines(asked, settings, environment)));
    return 0;
  }
  // Who names a folder for this very command finds the reports there.
  const isBelow = isRepetition(asked) && !process.env['NFE_REPORT_DIR'];
  const { conformanceRun } = await import('../runner/run/conformance-run.ts');
  return conformanceRun(asked, isBelow ? repeatSettings(settings) : settings, environment, interruption);
}

function linesWithoutRun(asked: Arguments): string[] | undefined {
  if (asked.explain !== undefined) return explainLines(clauseToExplain(asked.explain));
  if (asked.list) return listLines(namedClauses(asked));
  return undefined;
}
