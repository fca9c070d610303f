import { createHash } from 'node:crypto';
import type { CheckResult, ClauseResult, Results, ClauseVerdict, RunVerdict } from '../schemas/results.ts';
import { wayText } from '../schemas/finding.ts';
import { failedChecks } from './evidence.ts';
import type { HistoryLine } from '../schemas/stored.ts';
import type { Phrase } from './language.ts';
import { isStale, verdictLooks, isExercised } from './verdicts.ts';

/**
 * How a clause breaks, so that two runs can be compared by it: a line for each way in which a check of it fails, sorted. `undefined`
 * of one that does not, and where not every way is known.
 */
export function breakageOf(clause: ClauseResult): readonly string[] | undefined {
  const failed = failedChecks(clause);
  if (failed.length === 0 || failed.some(({ ways }) => ways === undefined)) return undefined;
  return [...new Set(failed.flatMap(waysOf))].toSorted();
}

/** How each clause breaks, in a few characters, by clause id; of one that does not, or where that is not known, nothing. */
export function breakagesOf({ clauses }: Results): ReadonlyMap<string, string> {
  return new Map(
    clauses.flatMap((clause): [string, string][] => {
      const digest = breakageDigest(clause);
      return digest === undefined ? [] : [[clause.id, digest]];
    }),
  );
}

/** The same as `breakageOf` in twelve characters: equal texts for equal breakages. */
function breakageDigest(clause: ClauseResult): string | undefined {
  const breakage = breakageOf(clause);
  return breakage && createHash('sha256').update(JSON.stringify(breakage)).digest('hex').slice(0, 12);
}

function waysOf({ name, ways = [] }: CheckResult): string[] {
  return ways.map((way) => `${name}: ${wayText(way)}`);
}

/** The endpoints on which a check fails, by method and path template, where there are several. */
export function brokenEndpoints({ ways = [] }: CheckResult): readonly string[] {
  const all = new Set(ways.map(({ endpoint }) => endpoint).filter((endpoint) => endpoint !== undefined));
  return all.size > 1 ? [...all] : [];
}

/** What a run came to, as far as a comparison with another one needs it. */
export interface Judgements {
  readonly verdict: RunVerdict;
  readonly filter?: string;
  /** Verdicts by clause id, in the order of the run. */
  readonly verdicts: ReadonlyMap<string, ClauseVerdict>;
  /** Ids of failed clauses that only the list of known deviations makes fail: they hold, but for what it covers. */
  readonly stale: ReadonlySet<string>;
  /** Titles of the checks that were exercised, by clause id; a history does not know them. */
  readonly checks?: ReadonlyMap<string, ReadonlySet<string>>;
  /** How each broken clause breaks, by its id, as far as that is known: equal texts for the same. */
  readonly breakages?: ReadonlyMap<string, string>;
}

/** An earlier run: what it came to, and what tells which one it was. */
export interface Earlier extends Judgements {
  readonly startedAt: string;
  /** Kind of its target, and the address. */
  readonly kind: string;
  readonly baseUrl: string;
  readonly seed: number;
}

/** What a run came to, by its results. */
export function judgementsOf(results: Results): Judgements {
  const { clauses } = results;
  return {
    ...askedOf(results),
    verdicts: new Map(clauses.map((clause) => [clause.id, clause.verdict])),
    stale: new Set(clauses.filter(isStale).map(({ id }) => id)),
    checks: new Map(clauses.map(({ id, checks }) => [id, new Set(exercisedTitles(checks))])),
    breakages: breakagesOf(results),
  };
}

/** What a run came to, by its line in a history. */
export function judgementsOfLine(line: HistoryLine): Judgements {
  const verdicts = verdictLooks.flatMap(({ verdict }) =>
    verdict === 'unobservable' ? [] : (line.clauses[verdict] ?? []).map((id) => [id, verdict] as const),
  );
  const breakages = new Map(Object.entries(line.breakages ?? {}));
  return { ...askedOf(line), verdicts: new Map(verdicts), stale: new Set(line.stale), breakages };
}

/** An earlier run by its results. */
export function earlierOf(results: Results): Earlier {
  return { ...headingOf(results), ...judgementsOf(results) };
}

/** An earlier run by its line in a history. */
export function earlierOfLine(line: HistoryLine): Earlier {
  return { ...headingOf(line), ...judgementsOfLine(line) };
}

/** Whether a run was asked for a clause that another run has: where it has none such, only its catalogue lacks it. */
export function wasAskedFor(id: string, run: Judgements, other: Judgements): boolean {
  return run.filter === undefined || run.filter === other.filter || run.verdicts.has(id);
}

function headingOf({ startedAt, target, seed }: Results | HistoryLine): Omit<Earlier, keyof Judgements> {
  return { startedAt, kind: target.kind, baseUrl: target.baseUrl, seed };
}

function askedOf({ verdict, filter }: Results | HistoryLine): Pick<Judgements, 'verdict' | 'filter'> {
  return { verdict, ...(filter === undefined ? {} : { filter }) };
}

function exercisedTitles(checks: ClauseResult['checks']): string[] {
  return checks.filter(({ state }) => state !== 'not-exercised').map(({ name }) => name);
}

/** A check by the clause that it judges and its title. */
export interface NamedCheck {
  readonly clause: string;
  readonly name: string;
}

/** What is different from an earlier run, as clause ids in the order of this run. */
export interface Changes {
  /** Failed or warned now and better before; those that only stand on a stale list apart. */
  readonly newlyFailed: readonly string[];
  /** Failed, warned or known before and now, in other ways; those that failed newly apart. */
  readonly brokenOtherwise: readonly string[];
  /** Failed, warned or known before and passed now. */
  readonly fixed: readonly string[];
  /** Exercised before and not now, or gone from the catalogue. */
  readonly stoppedRunning: readonly string[];
  /** Checks that were exercised before and are not now, or are gone, of clauses that still are exercised. */
  readonly stoppedChecks: readonly NamedCheck[];
  /** Exercised now and not before. */
  readonly startedRunning: readonly string[];
  /** Listed as known deviations although they hold. */
  readonly stale: readonly string[];
}

/** What each list of changes is called. */
export const changeTitles: Readonly<Record<keyof Changes, Phrase>> = {
  newlyFailed: { en: 'Newly failed', 'pt-BR': 'Falhas novas' },
  brokenOtherwise: { en: 'Broken otherwise than before', 'pt-BR': 'Quebram de outro modo' },
  fixed: { en: 'Fixed', 'pt-BR': 'Corrigidas' },
  stoppedRunning: { en: 'Stopped running', 'pt-BR': 'Deixaram de rodar' },
  stoppedChecks: { en: 'Checks that stopped running', 'pt-BR': 'Verificações que deixaram de rodar' },
  startedRunning: { en: 'Started running', 'pt-BR': 'Passaram a rodar' },
  stale: { en: 'Stale known deviations', 'pt-BR': 'Desvios conhecidos vencidos' },
};

/** Why nothing is compared: since this run ended in an error, or the other one did. */
export const notCompared: Readonly<Record<'this' | 'that', Phrase>> = {
  this: {
    en: 'This run ended in an error, so it is not compared.',
    'pt-BR': 'Esta execução terminou em erro: não é comparada.',
  },
  that: {
    en: 'That run ended in an error, so nothing is compared with it.',
    'pt-BR': 'Aquela execução terminou em erro: nada é comparado com ela.',
  },
};

/**
 * Compares a run with an earlier one. A clause that only one of them was asked for is not compared; a run that ended in an
 * error compares with nothing.
 */
export function changesSince(earlier: Judgements, now: Judgements): Changes {
  const pairs = comparable(earlier, now);
  const idsOf = (test: (pair: Pair) => boolean): string[] => pairs.filter(test).map(({ id }) => id);
  return {
    newlyFailed: idsOf(isNewlyFailed),
    brokenOtherwise: idsOf((pair) => !isNewlyFailed(pair) && isBrokenOtherwise(pair, earlier, now)),
    fixed: idsOf(({ before, after }) => badness(before) > 0 && after === 'passed'),
    stoppedRunning: idsOf(({ before, after }) => isExercised(before) && !isExercised(after)),
    stoppedChecks: stoppedChecks(earlier, now),
    startedRunning: idsOf(({ before, after }) => !isExercised(before) && isExercised(after)),
    stale: [...now.stale],
  };
}

/** Whether there is nothing to tell of. */
export function isUnchanged(changes: Changes): boolean {
  return Object.values(changes).every(({ length }) => length === 0);
}

function isNewlyFailed({ before, after, isStale }: Pair): boolean {
  return (after === 'failed' || after === 'warned') && badness(after) > badness(before) && !isStale;
}

/** Whether a clause that broke in both runs broke in other ways, where both know how. */
function isBrokenOtherwise({ id, before, after }: Pair, earlier: Judgements, now: Judgements): boolean {
  const [one, other] = [earlier.breakages?.get(id), now.breakages?.get(id)];
  return badness(before) > 0 && badness(after) > 0 && one !== undefined && other !== undefined && one !== other;
}

interface Pair {
  readonly id: string;
  /** Of a clause that was stale: `passed`, since it held. */
  readonly before: ClauseVerdict | undefined;
  readonly after: ClauseVerdict | undefined;
  /** Whether the clause fails now only as its entry in the known deviations is stale. */
  readonly isStale: boolean;
}

function comparable(earlier: Judgements, now: Judgements): Pair[] {
  if (earlier.verdict === 'error' || now.verdict === 'error') return [];
  return [...new Set([...now.verdicts.keys(), ...earlier.verdicts.keys()])]
    .filter((id) => wasAskedFor(id, now, earlier) && wasAskedFor(id, earlier, now))
    .map((id) => ({
      id,
      before: earlier.stale.has(id) ? 'passed' : earlier.verdicts.get(id),
      after: now.verdicts.get(id),
      isStale: now.stale.has(id),
    }));
}

function stoppedChecks(
  { checks: before, filter }: Judgements,
  { verdicts, checks: now, ...run }: Judgements,
): NamedCheck[] {
  if (before === undefined || now === undefined || filter !== run.filter) return [];
  return [...verdicts]
    .filter(([, verdict]) => isExercised(verdict))
    .flatMap(([clause]) => [...(before.get(clause) ?? [])].map((name) => ({ clause, name })))
    .filter(({ clause, name }) => now.get(clause)?.has(name) !== true);
}

function badness(verdict: ClauseVerdict | undefined): number {
  if (verdict === 'failed') return 2;
  return verdict === 'known' || verdict === 'warned' ? 1 : 0;
}
