import type { HistoryLine } from '../schemas/history.ts';
import { counted, utc } from './figures.ts';
import type { History } from './history.ts';
import { runVerdictLooks } from './verdicts.ts';
import { visible } from './visible.ts';

/** The last runs of a history for people, a line each, with what broke since the run of the same target before. */
export function historyLines({ runs, unreadable }: History, most: number): string[] {
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
    ...(unreadable > 0 ? [`passed over: ${counted(unreadable, 'line')} of the file without a run`] : []),
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
  const { passed, failed, known, warned, notExercised } = run.counts;
  const counts = `${passed} passed, ${failed} failed, ${known} known, ${warned} warned, ${notExercised} not exercised`;
  const said = run.verdict === 'error' ? (run.error ?? 'ended without saying why') : `${counts}${changes(run, before)}`;
  const part = run.filter === undefined ? '' : `, ${run.filter}`;
  return `${utc(run.startedAt)}  ${sign} ${word}  ${run.target.kind}, suite ${run.suite}, seed ${run.seed}${part}: ${said}`;
}

function changes(run: HistoryLine, before: HistoryLine | undefined): string {
  if (!before || run.verdict === 'error') return '';
  const failedBefore = new Set(before.clauses.failed);
  const failedNow = new Set(run.clauses.failed);
  const newly = [...failedNow].filter((id) => !failedBefore.has(id));
  const nowPassed = new Set(run.clauses.passed);
  const fixed = [...failedBefore].filter((id) => nowPassed.has(id));
  return [
    ...(newly.length > 0 ? [`; newly failed: ${newly.join(', ')}`] : []),
    ...(fixed.length > 0 ? [`; fixed: ${fixed.join(', ')}`] : []),
  ].join('');
}
