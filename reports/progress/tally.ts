import { topicOf } from '../../contract/catalogue.ts';
import type { CheckOutcome, CheckResult } from '../../schemas/results.ts';
import type { FailureVerdict } from '../judge.ts';

/** A check that a run is going to make. */
export interface PlannedCheck {
  readonly id: string;
  readonly clause: string;
  /** About how many requests it will send. */
  readonly requests: number;
}

/** A check that failed, as it is announced. */
export interface AnnouncedFailure {
  readonly clause: string;
  readonly title: string;
  readonly verdict: FailureVerdict;
}

/** What is known of a run while it is going on. */
export interface Tally {
  /** Ids of the clauses that it counts. */
  readonly clauses: readonly string[];
  /** Names of its spec files, and of those whose checks are known. */
  readonly files: readonly string[];
  readonly readFiles: ReadonlySet<string>;
  readonly checks: ReadonlyMap<string, PlannedCheck>;
  /** Ids of the checks that have ended, and when the last of them did: milliseconds from the start. */
  readonly ended: ReadonlySet<string>;
  readonly lastEndedMs: number;
  /** Every check that failed, once, by clause and title. */
  readonly failures: ReadonlyMap<string, AnnouncedFailure>;
}

/** The tally of a run that is about to begin. */
export function emptyTally(clauses: readonly string[]): Tally {
  return {
    clauses,
    files: [],
    readFiles: new Set(),
    checks: new Map(),
    ended: new Set(),
    lastEndedMs: 0,
    failures: new Map(),
  };
}

/** The tally once a spec file has told its checks; telling them twice changes nothing. */
export function withFile(tally: Tally, file: string, checks: readonly PlannedCheck[]): Tally {
  return {
    ...tally,
    readFiles: new Set([...tally.readFiles, file]),
    checks: new Map([...tally.checks, ...checks.map((check) => [check.id, check] as const)]),
  };
}

/** The tally once a check has ended, so many milliseconds from the start. */
export function withEnded(tally: Tally, id: string, failures: readonly AnnouncedFailure[], elapsedMs: number): Tally {
  return {
    ...tally,
    ended: new Set([...tally.ended, id]),
    lastEndedMs: elapsedMs,
    failures: new Map([...failures.map((failure) => [keyOf(failure), failure] as const), ...tally.failures]),
  };
}

/** The failures among the outcomes of a check that the tally does not have yet: several checks may see one rule fail. */
export function newFailures(
  { failures }: Tally,
  outcomes: readonly CheckOutcome[],
  verdictOf: (clause: string, check: CheckResult) => FailureVerdict,
): AnnouncedFailure[] {
  return outcomes
    .filter(({ result }) => result.state === 'failed')
    .map(({ clause, result }) => ({ clause, title: result.name, verdict: verdictOf(clause, result) }))
    .filter((failure) => !failures.has(keyOf(failure)));
}

/** The clauses that are done: every file of their topic is read, and every check of theirs has ended. */
export function doneClauses({ clauses, files, readFiles, checks, ended }: Tally): readonly string[] {
  const unreadTopics = new Set(files.filter((file) => !readFiles.has(file)).map(topicOf));
  const open = new Set([...checks.values()].filter(({ id }) => !ended.has(id)).map(({ clause }) => clause));
  const checked = new Set([...checks.values()].map(({ clause }) => clause));
  return clauses.filter((id) => checked.has(id) && !open.has(id) && !unreadTopics.has(topicOf(id)));
}

/** How many clauses are done. */
export function clausesDone(tally: Tally): number {
  return doneClauses(tally).length;
}

/** How many clauses a failure has given that verdict. */
export function clausesWith({ failures }: Tally, verdict: FailureVerdict): number {
  const clauses = [...failures.values()].filter((failure) => failure.verdict === verdict).map(({ clause }) => clause);
  return new Set(clauses).size;
}

function keyOf({ clause, title }: AnnouncedFailure): string {
  return `${clause} ${title}`;
}

/** The part of the planned requests after which their time so far foretells the rest, where no pace does. */
const tellingRequestsShare = 0.25;

/**
 * About how many milliseconds a run still takes; `undefined` while that is not known, or when it takes longer than it was
 * thought to. The pace (requests a second, 0: none) counts for what is to come as long as little has been done; then what
 * was seen counts, waits and failures included. It is reckoned when a check ends, and from then on runs down.
 */
export function timeLeftMs(tally: Tally, elapsedMs: number, maxRps: number): number | undefined {
  if (tally.files.length === 0 || !tally.files.every((file) => tally.readFiles.has(file))) return undefined;
  const planned = [...tally.checks.values()];
  const all = sumOf(planned);
  const done = sumOf(planned.filter(({ id }) => tally.ended.has(id)));
  const perRequest = msPerRequest(done, all, tally.lastEndedMs, maxRps);
  if (perRequest === undefined) return undefined;
  const left = (all - done) * perRequest - (elapsedMs - tally.lastEndedMs);
  return left > 0 ? left : undefined;
}

function msPerRequest(done: number, all: number, lastEndedMs: number, maxRps: number): number | undefined {
  const share = all === 0 ? 0 : done / all;
  if (maxRps > 0) return (1 - share) * (1000 / maxRps) + (done === 0 ? 0 : share * (lastEndedMs / done));
  return share < tellingRequestsShare ? undefined : lastEndedMs / done;
}

function sumOf(checks: readonly { readonly requests: number }[]): number {
  return checks.reduce((sum, { requests }) => sum + requests, 0);
}
