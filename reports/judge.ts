import type { LeftBehind } from '../contract/endpoints.ts';
import { type KnownDeviations, isWithheldWithoutLeave, isJudged, topicOf } from '../contract/catalogue.ts';
import type { Results, CheckOutcome, CheckResult, ClauseResult, Observations, RunVerdict } from '../schemas/results.ts';
import { type ObservedOrder, distinctLadders, mergeObserved } from '../schemas/observed.ts';
import { type Clause, type Party, remedyFor } from '../contract/clause.ts';
import type { Trouble } from '../contract/values.ts';
import { allFields } from '../schemas/verdict.ts';
import { levelOf } from './levels.ts';
import { withBlocked } from './blocked.ts';
import { listingOf, type Listing } from './deviations.ts';
import { findingsOf, withStopped } from './findings/findings.ts';
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
  /** Requests among them to which nothing came, or a 502, 503 or 504. */
  unanswered?: number;
  /** That the App Secret of the run was refused to its end. */
  refused?: NonNullable<Results['refused']>;
  /** A time in which answers were of one kind that came at no other. */
  spell?: NonNullable<Results['spell']>;
  /** Invoices whose outcome never came, where others had theirs soon. */
  unsettled?: NonNullable<Results['unsettled']>;
  /** Requests among them that might have issued an invoice in production. */
  productionIssuances: number;
  /** Whether the target may be sent what might issue for real: what asks for it is withheld otherwise. */
  mayIssueForReal: boolean;
  /** What was left behind at the target. */
  sideEffects: LeftBehind;
  /** The part that was asked for, when that is not everything. */
  filter?: string;
  /** How sure the run was to be of what passes, where that was asked for. */
  bound?: NonNullable<Results['bound']>;
  /** A should or implied clause that does not hold fails the run. */
  strict: boolean;
  /** Deviations that are accepted for now. */
  knownDeviations: KnownDeviations;
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
  const byClause = outcomesByClause(clauses.filter(isJudged), outcomes);
  const gathered = gatheredIn(outcomes);
  const judged = withStopped(
    withBlocked(clauses.map((clause) => clauseResult(clause, byClause.get(clause.id) ?? [], facts, gathered))),
  );
  return {
    ...heading(facts),
    verdict: runVerdict(judged),
    ...levelOf({ ...facts, clauses }, judged),
    counts: countVerdicts(judged),
    clauses: judged,
    findings: findingsOf(judged),
    ...observedIn(outcomes),
  };
}

/** What was seen on the way and is not judged. */
type ObservedMember = 'shapes' | 'order' | 'ladders' | 'verdictFields';

/** All that was observed in parts of a run, each once. */
export function observedIn(
  parts: readonly Pick<CheckOutcome | Results, ObservedMember>[],
): Pick<Results, ObservedMember> {
  const verdictFields = allFields(parts.map((part) => part.verdictFields ?? {}));
  return {
    shapes: mergeObserved(parts.flatMap(({ shapes = [] }) => shapes)),
    order: distinctOrder(parts.flatMap(({ order = [] }) => order)),
    ladders: distinctLadders(parts.flatMap(({ ladders = [] }) => ladders)),
    ...(Object.keys(verdictFields).length === 0 ? {} : { verdictFields }),
  };
}

/** Every observed order once, sorted. */
function distinctOrder(order: readonly ObservedOrder[]): ObservedOrder[] {
  const once = new Map(order.map((pair) => [`${pair.first} > ${pair.second}`, pair]));
  return [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair);
}

/** The results of a run that could not be made, or not to its end: nothing is said but of clauses judged until then. */
export function errorResults(
  facts: RunFacts,
  message: string,
  trouble: Trouble,
  judged: readonly ClauseResult[] = [],
): Results {
  const counts = countVerdicts(judged);
  const findings = findingsOf(judged);
  return { ...heading(facts), verdict: 'error', error: message, trouble, counts, clauses: [...judged], findings };
}

/**
 * The clauses of a run that was cut off: those that are done are judged by what their checks came to, and those of which a
 * check failed; the others are not exercised.
 */
export function judgeSoFar(
  facts: RunFacts,
  clauses: readonly Clause[],
  outcomes: readonly CheckOutcome[],
  { done, why }: { readonly done: ReadonlySet<string>; readonly why: WhyNotRun },
): ClauseResult[] {
  const byClause = Map.groupBy(outcomes, ({ clause }) => clause);
  const gathered = gatheredIn(outcomes);
  const judged = withBlocked(
    clauses.map((clause) => {
      const own = byClause.get(clause.id) ?? [];
      const isJudged = (done.has(clause.id) && own.length > 0) || own.some(({ result }) => result.state === 'failed');
      return isJudged
        ? clauseResult(clause, own, facts, gathered)
        : { ...clauseNotRun(clause, why), checks: own.map(({ result }) => result) };
    }),
  );
  return withStopped(judged);
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
    ...(facts.unanswered === undefined ? {} : { unanswered: facts.unanswered }),
    ...(facts.refused === undefined ? {} : { refused: facts.refused }),
    ...(facts.spell === undefined ? {} : { spell: facts.spell }),
    ...(facts.unsettled === undefined ? {} : { unsettled: facts.unsettled }),
    productionIssuances: facts.productionIssuances,
    sideEffects: facts.sideEffects,
    ...(facts.filter === undefined ? {} : { filter: facts.filter }),
    ...(facts.bound === undefined ? {} : { bound: facts.bound }),
  };
}

function outcomesByClause(judged: readonly Clause[], outcomes: readonly CheckOutcome[]): Map<string, CheckOutcome[]> {
  const byClause = new Map<string, CheckOutcome[]>(judged.map((clause) => [clause.id, []]));
  for (const outcome of outcomes) {
    const { clause, result } = outcome;
    const own = byClause.get(clause);
    if (!own) {
      throw new Error(
        `${result.file}: the check "${result.name}" judges ${clause}, which is no judged clause of this run: ` +
          'correct its clause id, or the choice of clauses that the run was given',
      );
    }
    own.push(outcome);
  }
  const unchecked = [...byClause].filter(([, own]) => own.length === 0).map(([id]) => id);
  if (unchecked.length > 0) {
    throw new Error(
      `no check of this run judges ${unchecked.join(', ')}: look for its spec (specs/${topicOf(unchecked[0] ?? '')}.spec.ts), ` +
        'or mark the clause unobservable with the reason',
    );
  }
  return byClause;
}

/** The clauses that were seen to hold: by a whole check, by a case or an item of one, or in passing. */
function heldClauses(outcomes: readonly CheckOutcome[]): ReadonlySet<string> {
  const byChecks = outcomes.filter(({ result, kept = [] }) => result.state === 'passed' || kept.length > 0);
  return new Set([...byChecks.map(({ clause }) => clause), ...outcomes.flatMap(({ held = [] }) => held)]);
}

/** What all outcomes of a run say of its clauses together. */
interface Gathered {
  readonly held: ReadonlySet<string>;
  readonly seen: ReadonlyMap<string, Observations>;
}

function gatheredIn(outcomes: readonly CheckOutcome[]): Gathered {
  return {
    held: heldClauses(outcomes),
    seen: new Map(outcomes.flatMap(({ seen = {} }) => Object.entries(seen))),
  };
}

/** How often a clause was seen, where that is what its verdict rests on. */
function sureness(clause: string, { verdict }: Judgement, { seen }: Gathered): Partial<ClauseResult> {
  const observations = seen.get(clause);
  if (observations === undefined || verdict === 'not-exercised' || verdict === 'withheld') return {};
  const isIntermittent = observations.right > 0 && observations.wrong > 0;
  return { ...(isIntermittent ? { intermittent: true } : {}), observations };
}

function clauseResult(
  clause: Clause,
  outcomes: readonly CheckOutcome[],
  facts: RunFacts,
  gathered: Gathered,
): ClauseResult {
  const { id, section, level, binds, statement } = clause;
  const listing = listingOf(facts, id, outcomes);
  const checks = outcomes.map(({ result }) =>
    isCovered(result, listing) ? { ...result, covered: true as const } : result,
  );
  // Spec files end in any order; within a file the order is the author's. What was seen in passing has no smallest case: it comes last.
  const inOrder = checks.sort(
    (a, b) =>
      Number(a.inPassing ?? false) - Number(b.inPassing ?? false) || (a.file < b.file ? -1 : Number(a.file > b.file)),
  );
  const judged = judgement(clause, checks, listing, facts);
  const hasFailed = checks.some(({ state }) => state === 'failed');
  const alsoHeld = hasFailed && gathered.held.has(id) ? { alsoHeld: true as const } : {};
  return {
    id,
    section,
    level,
    binds,
    statement,
    ...judged,
    ...alsoHeld,
    ...sureness(id, judged, gathered),
    checks: inOrder,
  };
}

function isCovered(check: CheckResult, listing: Listing): boolean {
  return check.state === 'failed' && listing.covers(check);
}

function judgement(clause: Clause, checks: readonly CheckResult[], listing: Listing, facts: RunFacts): Judgement {
  const { strict, mayIssueForReal } = facts;
  const unjudged = unjudgedReason(clause);
  if (unjudged !== undefined) return { verdict: 'unobservable', reason: unjudged + unconfirmed(listing) };
  const failed = checks.filter((check) => check.state === 'failed');
  if (failed.length > 0) return failure(clause, failed, listing, strict);
  if (checks.some((check) => check.state === 'passed')) return orStale({ verdict: 'passed' }, listing.stale);
  const isWithheld = isWithheldWithoutLeave(clause) && !mayIssueForReal;
  const open: Judgement = isWithheld
    ? { verdict: 'withheld', reason: withheldReason + unconfirmed(listing) }
    : { verdict: 'not-exercised', reason: reasonsOf(checks) + unconfirmed(listing) };
  return orStale(open, listing.expired);
}

const withheldReason = `it might issue a real invoice, for which no leave was given: ${remedyFor('real-issuance')}`;

function failure(clause: Clause, failed: readonly CheckResult[], listing: Listing, strict: boolean): Judgement {
  const isWholly = failed.every(({ covered }) => covered);
  const verdict = verdictOfFailure(clause, isWholly, strict);
  if (isWholly) return orStale({ verdict, reason: listing.accepted }, listing.stale);
  const { accepted, stale } = listing;
  const reasons = [accepted === '' ? undefined : `no known deviation covers this; the list has ${accepted}`, stale];
  const reason = reasons.filter((part) => part !== undefined).join('; ');
  return { verdict, ...(reason === '' ? {} : { reason }) };
}

/** What the failed check of a clause can make of the clause. */
export type FailureVerdict = 'failed' | 'warned' | 'known';

/** What a failed check makes of its clause, where known deviations cover its failure and where not. */
export function verdictOfFailure(clause: Clause, isCoveredByList: boolean, strict: boolean): FailureVerdict {
  if (isCoveredByList) return 'known';
  return clause.level === 'must' || strict ? 'failed' : 'warned';
}

/** The judgement, or that the list of known deviations is stale, which makes the clause fail whatever it came to. */
function orStale(judgement: Judgement, stale: string | undefined): Judgement {
  return stale === undefined ? judgement : { verdict: 'failed', reason: stale };
}

function unconfirmed({ accepted }: Listing): string {
  return accepted !== '' ? `; listed as a known deviation ("${accepted}"), which this run could not confirm` : '';
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

/** The verdict of a run by those of its clauses; what was withheld keeps it from nothing. */
export function runVerdict(clauses: readonly ClauseResult[]): RunVerdict {
  if (clauses.some((clause) => clause.verdict === 'failed')) return 'nonconformant';
  const isOpen = clauses.some(
    ({ level, verdict }) => level === 'must' && (verdict === 'not-exercised' || verdict === 'blocked'),
  );
  return isOpen ? 'incomplete' : 'conformant';
}
