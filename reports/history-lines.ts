import type { HistoryLine } from '../schemas/stored.ts';
import { changesSince } from './changes.ts';
import { judgementsOfLine } from './earlier.ts';
import { counted, utc } from './figures.ts';
import { oldestFirst, type History } from './history.ts';
import { levelBrief } from './level-sentence.ts';
import { runVerdictLooks } from './verdicts.ts';
import { visible } from './visible.ts';

/** The last runs of a history for people, a line each, with what broke and what holds again since the run of the same before. */
export function historyLines(history: History, most: number): string[] {
  const runs = oldestFirst(history.runs);
  const lines = runs.map((run, position) =>
    runLine(
      run,
      // Runs that ended in an error say nothing of clauses, so nothing is compared with them.
      runs.slice(0, position).findLast((before) => before.verdict !== 'error' && isLike(before, run)),
    ),
  );
  const shown = lines.slice(-most);
  return [
    ...(shown.length < lines.length ? [`${counted(lines.length - shown.length, 'earlier run')} not shown`] : []),
    ...shown,
    ...(history.unreadable > 0
      ? [`passed over: ${counted(history.unreadable, 'line')} of the file without a run`]
      : []),
  ].map((line) => visible(line));
}

/** Whether two runs were asked the same of the same target, whatever its build. */
export function isLike(before: Asked, run: Asked): boolean {
  return isSameTarget(before.target, run.target) && before.filter === run.filter;
}

type Asked = Pick<HistoryLine, 'target' | 'filter'>;

/** Whether two runs tested the same target, whatever its build: a sandbox is known by its address, another by its kind. */
export function isSameTarget(before: Place, run: Place): boolean {
  return before.kind === run.kind && (run.kind !== 'sandbox' || before.baseUrl === run.baseUrl);
}

type Place = Pick<HistoryLine['target'], 'kind' | 'baseUrl'>;

function runLine(run: HistoryLine, before: HistoryLine | undefined): string {
  const { sign, word } = runVerdictLooks[run.verdict];
  const judged = Object.keys(run.clauses).length === 0 ? '' : `; judged until then: ${countsOf(run)}`;
  const said =
    run.verdict === 'error'
      ? `${run.error ?? 'ended without saying why'}${judged}`
      : `${reachOf(run)}${countsOf(run)}${changes(run, before)}`;
  const part = run.filter === undefined ? '' : `, ${run.filter}`;
  return `${utc(run.startedAt)}  ${sign} ${word}  ${run.target.kind}, suite ${run.suite}, seed ${run.seed}${part}: ${said}`;
}

function reachOf({ level }: HistoryLine): string {
  return level === undefined ? '' : `${levelBrief(level)}; `;
}

function countsOf({ counts }: HistoryLine): string {
  const { passed, failed, known, warned, notExercised, withheld = 0 } = counts;
  const apart = withheld === 0 ? '' : `, ${withheld} withheld`;
  return `clauses of every level: ${passed} passed, ${failed} failed, ${known} known, ${warned} warned, ${notExercised} not exercised${apart}`;
}

function changes(run: HistoryLine, before: HistoryLine | undefined): string {
  if (!before) return '';
  const { newlyFailed, brokenOtherwise, fixed, stale } = changesSince(judgementsOfLine(before), judgementsOfLine(run));
  const told = [
    ['newly failed', newlyFailed],
    ['broken otherwise than before', brokenOtherwise],
    ['fixed', fixed],
    ['stale known deviations', stale],
  ] as const;
  return told.map(([what, ids]) => (ids.length === 0 ? '' : `; ${what}: ${ids.join(', ')}`)).join('');
}
