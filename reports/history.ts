import { isHistoryLine, type HistoryLine } from '../schemas/stored.ts';
import type { Results } from '../schemas/results.ts';
import {
  breakagesOf,
  changesSince,
  judgementsOfLine,
  earlierOf,
  earlierOfLine,
  judgementsOf,
  type Earlier,
  type Judgements,
} from './changes.ts';
import { isStale, clausesOf, verdictLooks, runVerdictLooks } from './verdicts.ts';
import { counted, utc } from './language.ts';
import { levelBrief } from './levels.ts';
import { visible } from './visible.ts';
import { readJson } from '../schemas/values.ts';

/** What a history keeps of a run that was made with that version of the suite. */
export function historyLineOf(results: Results, suite: string): HistoryLine {
  const { startedAt, verdict, error, target, seed, numRuns, requests, durationMs, counts, filter, level } = results;
  const { verdictFields = {} } = results;
  const stale = results.clauses.filter(isStale).map(({ id }) => id);
  const breakages = breakagesOf(results);
  return {
    format: 'nfe-conformance/history@1',
    startedAt,
    suite,
    verdict,
    ...(error === undefined ? {} : { error: error.slice(0, longestError) }),
    target,
    seed,
    numRuns,
    requests,
    durationMs,
    counts,
    ...(filter === undefined ? {} : { filter }),
    ...(level === undefined ? {} : { level }),
    ...(stale.length === 0 ? {} : { stale }),
    ...(breakages.size === 0 ? {} : { breakages: Object.fromEntries(breakages) }),
    ...(Object.keys(verdictFields).length === 0 ? {} : { verdictFields }),
    clauses: idsByVerdict(results),
  };
}

/** Runs by when they started: one that was merged is added later than it ran. */
function oldestFirst(runs: readonly HistoryLine[]): readonly HistoryLine[] {
  return runs.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : Number(a.startedAt > b.startedAt)));
}

const longestError = 500;

function idsByVerdict(results: Results): HistoryLine['clauses'] {
  const judged = verdictLooks.map(({ verdict }) => verdict).filter((verdict) => verdict !== 'unobservable');
  const ids = judged.map((verdict) => [verdict, clausesOf(results, verdict).map(({ id }) => id)] as const);
  return Object.fromEntries(ids.filter(([, own]) => own.length > 0));
}

/** What the text of a history file holds. */
export interface History {
  readonly runs: readonly HistoryLine[];
  /** Lines that hold no run: torn by a crash, or of another format. */
  readonly unreadable: number;
}

/** The runs in the text of a history file, in the order of its lines. Lines that hold none are counted and passed over. */
export function readHistory(text: string): History {
  const { read: runs, unreadable } = readLines(text, isHistoryLine);
  return { runs, unreadable };
}

/** What the lines of a file hold, one a line, in their order; `unreadable` counts those that hold none. */
export function readLines<T>(
  text: string,
  isOne: (value: unknown) => value is T,
): { readonly read: readonly T[]; readonly unreadable: number } {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const read = lines.map(readJson).filter(isOne);
  return { read, unreadable: lines.length - read.length };
}

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
function isLike(before: Asked, run: Asked): boolean {
  return isSameTarget(before.target, run.target) && before.filter === run.filter;
}

type Asked = Pick<HistoryLine, 'target' | 'filter'>;

/** Whether two runs tested the same target, whatever its build: a sandbox is known by its address, another by its kind. */
export function isSameTarget(before: Place, run: Place): boolean {
  return before.kind === run.kind && (run.kind !== 'sandbox' || before.baseUrl === run.baseUrl);
}

type Place = Pick<HistoryLine['target'], 'kind' | 'baseUrl'>;

function runLine(run: HistoryLine, before: HistoryLine | undefined): string {
  const { sign, words } = runVerdictLooks[run.verdict];
  const judged = Object.keys(run.clauses).length === 0 ? '' : `; judged until then: ${countsOf(run)}`;
  const said =
    run.verdict === 'error'
      ? `${run.error ?? 'ended without saying why'}${judged}`
      : `${reachOf(run)}${countsOf(run)}${changes(run, before)}`;
  const part = run.filter === undefined ? '' : `, ${run.filter}`;
  return `${utc(run.startedAt)}  ${sign} ${words.en}  ${run.target.kind}, suite ${run.suite}, seed ${run.seed}${part}: ${said}`;
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

/** One run of a series: the verdicts of its clauses, none where it ended in an error. */
export interface SeriesRun
  extends
    Pick<HistoryLine, 'startedAt' | 'verdict' | 'seed' | 'suite' | 'counts' | 'level'>,
    Pick<Judgements, 'verdicts' | 'stale'> {}

/** The runs that were asked the same of the same target, by when they started, oldest first; this one is the last of them. */
export function seriesOf(results: Results, history: readonly HistoryLine[] = []): readonly SeriesRun[] {
  const before = runsBefore(results, history).map((line) => ({ ...line, ...judgedIn(judgementsOfLine(line)) }));
  return [...before, { ...results, suite: results.suite?.version ?? '', ...judgedIn(judgementsOf(results)) }];
}

function judgedIn({ verdicts, stale }: Judgements): Pick<Judgements, 'verdicts' | 'stale'> {
  return { verdicts, stale };
}

function runsBefore(results: Results, history: readonly HistoryLine[] = []): readonly HistoryLine[] {
  return oldestFirst(history).filter((line) => line.startedAt < results.startedAt && isLike(line, results));
}

/** What a run is compared with: the baseline, or else the last run before it that judged the same of the same target. */
export function earlierRun(
  results: Results,
  {
    baseline,
    history,
  }: { readonly baseline?: Results | undefined; readonly history?: readonly HistoryLine[] | undefined },
): Earlier | undefined {
  if (baseline) return earlierOf(baseline);
  const last = runsBefore(results, history).findLast(({ verdict }) => verdict !== 'error');
  return last && earlierOfLine(last);
}

/** Since when a clause has not held. */
export interface Since {
  /** ISO time of the first run in which it did not, as far back as is known. */
  readonly startedAt: string;
  /** How many runs it has not held in, this one counted, those that judged it only. */
  readonly runs: number;
  /** Whether an earlier run saw it hold, so that this is where it broke. */
  readonly isKnownToHaveHeld: boolean;
}

/**
 * Since when a clause that does not hold in the last run of a series has not held. Runs that did not judge it are passed
 * over; one in which only its entry in the known deviations was stale saw it hold.
 */
export function brokenSince(id: string, series: readonly SeriesRun[]): Since | undefined {
  const judged = series.map((run) => ({ run, holds: holdsIn(run, id) })).filter(({ holds }) => holds !== undefined);
  const lastHeld = judged.findLastIndex(({ holds }) => holds === true);
  const since = judged.slice(lastHeld + 1);
  const first = since[0]?.run;
  return first && { startedAt: first.startedAt, runs: since.length, isKnownToHaveHeld: lastHeld >= 0 };
}

/** Whether a clause held in a run; `undefined` where the run did not judge it. */
function holdsIn({ verdicts, stale }: SeriesRun, id: string): boolean | undefined {
  if (stale.has(id)) return true;
  switch (verdicts.get(id)) {
    case 'passed':
      return true;
    case 'failed':
    case 'known':
    case 'warned':
      return false;
    case 'not-exercised':
    case 'blocked':
    case 'withheld':
    case 'unobservable':
    case undefined:
      return undefined;
  }
}
