import { isJudged, topicOf } from '../contract/catalogue.ts';
import type { Clause, Party } from '../contract/clause.ts';
import type { LeftBehind } from '../contract/cost.ts';
import type { Trouble } from '../contract/trouble.ts';
import { distinctLadders } from '../schemas/observed-ladders.ts';
import { mergeObserved } from '../schemas/observed-shapes.ts';
import type {
  CheckOutcome,
  CheckResult,
  ClauseResult,
  ObservedOrder,
  Results,
  RunVerdict,
} from '../schemas/results.ts';
import { countVerdicts } from './verdicts.ts';

/** What is known of a run besides what its checks came to. */
export interface RunFacts {
  target: Results['target'];
  /** The suite that makes the run. */
  suite: NonNullable<Results['suite']>;
  clock: NonNullable<Results['clock']>;
  /** ISO-8601. */
  startedAt: string;
  durationMs: number;
  seed: number;
  numRuns: number;
  /** Requests sent in the whole run. */
  requests: number;
  /** Requests among them that might have issued an invoice in production. */
  productionIssuances: number;
  /** What was left behind at the target. */
  sideEffects: LeftBehind;
  /** The part that was asked for, when that is not everything. */
  filter?: string;
  /** A should or implied clause that does not hold fails the run. */
  strict: boolean;
  /** Reasons by clause id: deviations that are accepted for now. */
  knownDeviations: Readonly<Record<string, string>>;
}

/** Why a clause was not run, and whose trouble that is, where it is known. */
export interface WhyNotRun {
  readonly reason: string;
  readonly trouble?: Trouble;
}

/** A clause that a run was to judge and that no check was made for. */
export function clauseNotRun(clause: Clause, why: WhyNotRun): ClauseResult {
  const { id, section, level, binds, statement } = clause;
  const unjudged = unjudgedReason(clause);
  const judgement: Judgement =
    unjudged === undefined ? { verdict: 'not-exercised', ...why } : { verdict: 'unobservable', reason: unjudged };
  return { id, section, level, binds, statement, ...judgement, checks: [] };
}

type Judgement = Pick<ClauseResult, 'verdict' | 'reason' | 'trouble'>;

/**
 * Judges the clauses of a run by what its checks came to. Throws where the suite itself is at fault: a judged clause
 * without an outcome, or an outcome of a clause that this run does not judge.
 */
export function judge(facts: RunFacts, clauses: readonly Clause[], outcomes: readonly CheckOutcome[]): Results {
  const checks = checksByClause(clauses.filter(isJudged), outcomes);
  const judged = clauses.map((clause) => clauseResult(clause, checks.get(clause.id) ?? [], facts));
  return {
    ...heading(facts),
    verdict: runVerdict(judged),
    counts: countVerdicts(judged),
    clauses: judged,
    shapes: mergeObserved(outcomes.flatMap((outcome) => outcome.shapes ?? [])),
    order: distinctOrder(outcomes.flatMap((outcome) => outcome.order ?? [])),
    ladders: distinctLadders(outcomes.flatMap((outcome) => outcome.ladders ?? [])),
  };
}

/** Every observed order once, sorted. */
export function distinctOrder(order: readonly ObservedOrder[]): ObservedOrder[] {
  const once = new Map(order.map((pair) => [`${pair.first} > ${pair.second}`, pair]));
  return [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair);
}

/**
 * The results of a run that could not be made, or not to its end: nothing is said about any clause but those that were judged
 * until then.
 */
export function errorResults(
  facts: RunFacts,
  message: string,
  trouble: Trouble,
  judged: readonly ClauseResult[] = [],
): Results {
  const clauses = [...judged];
  return { ...heading(facts), verdict: 'error', error: message, trouble, counts: countVerdicts(clauses), clauses };
}

function heading(facts: RunFacts): Omit<Results, 'verdict' | 'counts' | 'clauses'> {
  return {
    format: 'nfe-conformance/results@1',
    target: facts.target,
    suite: facts.suite,
    clock: facts.clock,
    startedAt: facts.startedAt,
    durationMs: facts.durationMs,
    seed: facts.seed,
    numRuns: facts.numRuns,
    requests: facts.requests,
    productionIssuances: facts.productionIssuances,
    sideEffects: facts.sideEffects,
    ...(facts.filter === undefined ? {} : { filter: facts.filter }),
  };
}

function checksByClause(judged: readonly Clause[], outcomes: readonly CheckOutcome[]): Map<string, CheckResult[]> {
  const checks = new Map<string, CheckResult[]>(judged.map((clause) => [clause.id, []]));
  for (const { clause, result } of outcomes) {
    const own = checks.get(clause);
    if (!own) {
      throw new Error(
        `${result.file}: the check "${result.name}" judges ${clause}, which is no judged clause of this run: ` +
          'correct its clause id, or the choice of clauses that the run was given',
      );
    }
    own.push(result);
  }
  const unchecked = [...checks].filter(([, own]) => own.length === 0).map(([id]) => id);
  if (unchecked.length > 0) {
    throw new Error(
      `no check of this run judges ${unchecked.join(', ')}: look for its spec (specs/${topicOf(unchecked[0] ?? '')}.spec.ts), ` +
        'or mark the clause unobservable with the reason',
    );
  }
  return checks;
}

function clauseResult(clause: Clause, checks: readonly CheckResult[], facts: RunFacts): ClauseResult {
  const { id, section, level, binds, statement } = clause;
  // Spec files end in any order; within a file the order is the author's.
  const inOrder = [...checks].sort((a, b) => (a.file < b.file ? -1 : Number(a.file > b.file)));
  return { id, section, level, binds, statement, ...judgement(clause, checks, facts), checks: inOrder };
}

function judgement(clause: Clause, checks: readonly CheckResult[], facts: RunFacts): Judgement {
  const listed = Object.hasOwn(facts.knownDeviations, clause.id) ? facts.knownDeviations[clause.id] : undefined;
  const unjudged = unjudgedReason(clause);
  if (unjudged !== undefined) return { verdict: 'unobservable', reason: unjudged + unconfirmed(listed) };
  if (checks.some((check) => check.state === 'failed')) return failure(clause, listed, facts.strict);
  if (checks.some((check) => check.state === 'passed'))
    return listed === undefined ? { verdict: 'passed' } : stale(listed);
  return { verdict: 'not-exercised', reason: reasonsOf(checks) + unconfirmed(listed) };
}

function failure(clause: Clause, listed: string | undefined, strict: boolean): Judgement {
  return { verdict: verdictOfFailure(clause, listed, strict), ...(listed === undefined ? {} : { reason: listed }) };
}

/** What the failed check of a clause can make of the clause. */
export type FailureVerdict = 'failed' | 'warned' | 'known';

/** What the failed check of a clause makes of it; `listed` is the reason of a known deviation, where it is one. */
export function verdictOfFailure(clause: Clause, listed: string | undefined, strict: boolean): FailureVerdict {
  if (listed !== undefined) return 'known';
  return clause.level === 'must' || strict ? 'failed' : 'warned';
}

function stale(listed: string): Judgement {
  return {
    verdict: 'failed',
    reason: `the list of known deviations is stale: it names this clause ("${listed}"), which holds now; take it off the list`,
  };
}

function unconfirmed(listed: string | undefined): string {
  return listed === undefined ? '' : `; listed as a known deviation ("${listed}"), which this run could not confirm`;
}

function reasonsOf(checks: readonly CheckResult[]): string {
  const reasons = checks.map((check) => check.reason ?? `the check "${check.name}" gave no reason`);
  return [...new Set(reasons)].join('; ');
}

const bound: Readonly<Record<Exclude<Party, 'service'>, string>> = {
  receiver: 'binds webhook receivers, not the service',
  client: 'binds clients, not the service',
};

function unjudgedReason({ binds, unobservable }: Clause): string | undefined {
  if (binds === 'service') return unobservable;
  return `${bound[binds]}: ${unobservable ?? 'judged elsewhere, not by a run against a target'}`;
}

/** The verdict of a run by those of its clauses. */
export function runVerdict(clauses: readonly ClauseResult[]): RunVerdict {
  if (clauses.some((clause) => clause.verdict === 'failed')) return 'nonconformant';
  const isOpen = clauses.some((clause) => clause.level === 'must' && clause.verdict === 'not-exercised');
  return isOpen ? 'incomplete' : 'conformant';
}
