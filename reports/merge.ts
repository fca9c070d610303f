import type { Clause } from '../contract/clause.ts';
import { leftBehind } from '../contract/endpoints.ts';
import type { Trouble } from '../contract/values.ts';
import type { ClauseResult, Results, RunVerdict } from '../schemas/results.ts';
import { levelOf } from './levels.ts';
import { withBlocked } from './blocked.ts';
import { findingsOf, withStopped } from './findings/findings.ts';
import { clauseNotRun, observedIn, runVerdict, type WhyNotRun } from './judge.ts';
import { countVerdicts } from './verdicts.ts';

/** The run that was divided. */
export interface WholeRun {
  /** The clauses that it was asked for. */
  readonly clauses: readonly Clause[];
  /** The part of the suite that it was asked for, when that is not everything. */
  readonly filter?: string;
  /** The parts that left nothing, one sentence each. */
  readonly lost: readonly string[];
  /** Why a clause is in none of the parts. */
  readonly whyNotRun: (clause: Clause) => WhyNotRun;
}

/**
 * The results that one run would have had, from those of its parts: the first lends target, seed and cases, times and
 * requests add up. A part that ended in an error or left nothing makes the whole an error, in which the clauses of the other
 * parts stand, unless a clause was seen to fail.
 */
export function mergeResults(parts: readonly [Results, ...Results[]], whole: WholeRun): Results {
  const heading = mergedHeading(parts, whole.filter);
  const clauses = mergedClauses(parts, whole);
  const verdict = mergedVerdict(parts, clauses, whole);
  return {
    ...heading,
    verdict,
    ...(verdict === 'error' ? { error: errorOf(parts, whole), trouble: troubleOf(parts) } : levelOf(whole, clauses)),
    counts: countVerdicts(clauses),
    clauses,
    findings: findingsOf(clauses),
    ...observedIn(parts),
  };
}

function mergedHeading(
  parts: readonly [Results, ...Results[]],
  filter: string | undefined,
): Omit<Results, 'verdict' | 'counts' | 'clauses'> {
  // A part that could not reach the target knows least of it.
  const first = parts.find(({ verdict }) => verdict !== 'error') ?? parts[0];
  const sum = (of: (part: Results) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const defects = parts.flatMap((part) => part.defects ?? []);
  const refused = parts.findLast((part) => part.refused)?.refused;
  const [spell] = parts.flatMap((part) => part.spell ?? []).toSorted((one, other) => other.answers - one.answers);
  const unsettled = parts.flatMap((part) => part.unsettled ?? []);
  return {
    format: first.format,
    target: first.target,
    ...(first.suite ? { suite: first.suite } : {}),
    ...(first.clock ? { clock: first.clock } : {}),
    startedAt: parts.map(({ startedAt }) => startedAt).reduce((a, b) => (a < b ? a : b)),
    durationMs: sum(({ durationMs }) => durationMs),
    seed: first.seed,
    numRuns: first.numRuns,
    requests: sum(({ requests }) => requests),
    ...(parts.some(({ unanswered }) => unanswered !== undefined)
      ? { unanswered: sum(({ unanswered = 0 }) => unanswered) }
      : {}),
    ...(refused ? { refused } : {}),
    ...(spell ? { spell } : {}),
    ...(unsettled.length > 0 ? { unsettled: unsettled.reduce(bothUnsettled) } : {}),
    productionIssuances: sum(({ productionIssuances = 0 }) => productionIssuances),
    sideEffects: leftBehind((what) => sum(({ sideEffects }) => sideEffects?.[what] ?? 0)),
    ...(filter === undefined ? {} : { filter }),
    ...(defects.length === 0 ? {} : { defects }),
  };
}

type Unsettled = NonNullable<Results['unsettled']>;

function bothUnsettled(one: Unsettled, other: Unsettled): Unsettled {
  return {
    invoices: one.invoices + other.invoices,
    of: one.of + other.of,
    waitedMs: Math.max(one.waitedMs, other.waitedMs),
    slowestMs: Math.max(one.slowestMs, other.slowestMs),
  };
}

/** None at all where no part judged any. */
function mergedClauses(parts: readonly Results[], { clauses, whyNotRun }: WholeRun): ClauseResult[] {
  const judged = new Map(parts.flatMap((part) => part.clauses).map((clause) => [clause.id, clause]));
  if (judged.size === 0) return [];
  return withStopped(
    withBlocked(clauses.map((clause) => judged.get(clause.id) ?? clauseNotRun(clause, whyNotRun(clause)))),
  );
}

function mergedVerdict(parts: readonly Results[], clauses: readonly ClauseResult[], { lost }: WholeRun): RunVerdict {
  const verdict = runVerdict(clauses);
  const isWhole = lost.length === 0 && parts.every((part) => part.verdict !== 'error');
  return isWhole || verdict === 'nonconformant' ? verdict : 'error';
}

function errorOf(parts: readonly Results[], { lost }: WholeRun): string {
  const broken = parts.filter(({ verdict }) => verdict === 'error');
  const texts = broken.map(({ filter, error }) => `${filter ?? 'a part'}: ${error ?? 'ended without saying why'}`);
  return [...texts, ...lost].join('; ');
}

/**
 * The trouble of the parts that ended in an error; the suite's own before any other, since it is ours to mend. That a part left
 * nothing is up to how the parts were started and put together.
 */
function troubleOf(parts: readonly Results[]): Trouble {
  const troubles = parts.flatMap(({ verdict, trouble = 'suite' }) => (verdict === 'error' ? trouble : []));
  return troubles.find((one) => one === 'suite') ?? troubles[0] ?? 'settings';
}
