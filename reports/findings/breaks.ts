import type { CheckResult, ClauseResult } from '../../schemas/results.ts';
import { type Fact, type FactName, wayText } from '../../schemas/finding.ts';
import { refusalWith, statedOrder } from '../../contract/precedence.ts';
import { codes, type PlatformCode } from '../../contract/values.ts';
import { failedChecks } from '../evidence.ts';
import { isStale } from '../verdicts.ts';

/** A clause that does not hold, with what its failed checks show. */
export interface Break {
  readonly clause: ClauseResult;
  /** The checks that failed, the one that shows it best in front. */
  readonly checks: readonly CheckResult[];
  /** Other clauses that are broken by what breaks it. */
  readonly beside: ReadonlySet<string>;
  /** What these have in common. */
  readonly facts: readonly Fact[];
  readonly expected: string;
  readonly actual: string;
  /** What was due and what came, in each way in which it is broken, without what differs from run to run. */
  readonly ways: ReadonlySet<string>;
}

/** The clauses that don't hold for what the target does, those that a broken one blocks apart. */
export function breaksOf(clauses: readonly ClauseResult[]): readonly Break[] {
  return clauses.filter(isBreak).flatMap((clause) => {
    const [check, ...others] = failedChecks(clause).toSorted((one, other) => weightOf(other) - weightOf(one));
    return check ? [breakOf(clause, [check, ...others])] : [];
  });
}

function isBreak(clause: ClauseResult): boolean {
  const { verdict, blockedBy } = clause;
  return !blockedBy && !isStale(clause) && (verdict === 'failed' || verdict === 'warned' || verdict === 'known');
}

/** Whether none of its checks has come to its own rule. */
export function isOfPremises({ checks }: Pick<Break, 'checks'>): boolean {
  return checks.every(({ error }) => error?.premise);
}

/** What all records were counted for tells most; a failed premise tells least, and less still what is accepted. */
function weightOf({ shared, inPassing, error, covered }: CheckResult): number {
  const isLess = 2 * Number(error?.premise ?? false) + 4 * Number(covered ?? false);
  return Number(shared !== undefined) + Number(inPassing ?? false) - isLess;
}

function breakOf(clause: ClauseResult, checks: readonly [CheckResult, ...CheckResult[]]): Break {
  const [{ error, ways = [], inPassing }] = checks;
  const { expected = '', actual = '' } = (inPassing ? ways[0] : undefined) ?? error ?? {};
  const all = [{ expected, actual }, ...checks.flatMap((check) => check.ways ?? [])];
  const texts = new Set(all.map((way) => wayText({ expected: way.expected, actual: cameOf(way) })));
  return {
    clause,
    checks,
    beside: besideIn(checks),
    facts: agreed(checks),
    expected,
    actual,
    ways: texts,
  };
}

/**
 * The clauses that are broken by what breaks it: by most of all that came, or by what each check of its own saw. What one of them alone saw
 * may be broken by something else as well.
 */
function besideIn(checks: readonly CheckResult[]): ReadonlySet<string> {
  const { all = [], own = [] } = Object.groupBy(checks, ({ inPassing }) => (inPassing ? 'all' : 'own'));
  const besideOf = (of: readonly CheckResult[]): readonly ReadonlySet<string>[] =>
    of.flatMap(({ shared }) => (shared ? [new Set(shared.beside)] : []));
  const [first = new Set<string>(), ...others] = besideOf(own);
  const common = others.reduce((left, each) => left.intersection(each), first);
  return besideOf(all).reduce((found, each) => found.union(each), common);
}

/** What the first check's failure hangs on; what those of others had otherwise, to which the same came, is chance. */
function agreed([first, ...others]: readonly [CheckResult, ...CheckResult[]]): readonly Fact[] {
  const facts = first.shared?.facts ?? [];
  if (first.inPassing) return facts;
  const alike = others.filter(({ error }) => eachTime(error?.actual ?? '') === eachTime(first.error?.actual ?? ''));
  return facts.filter(({ name, value }) =>
    alike.every(({ shared }) => shared?.facts.every((fact) => fact.name !== name || fact.value === value) ?? true),
  );
}

/**
 * What came, in short: whatever passes passes, though each endpoint says so in its own way, or a refusal that comes later in their order;
 * and a text is of its language.
 */
function cameOf({ expected, actual }: Pick<Break, 'expected' | 'actual'>): string {
  const language = /^one in \w+(?=:)/.exec(actual)?.[0];
  if (language !== undefined) return language;
  const due = refusalIn(expected);
  const isPassed = refusalIn(actual)
    ? isOfLaterFault({ expected, actual })
    : isAnswer(actual) && !isStoppedBefore(actual);
  return due && isPassed ? 'passed' : eachTime(actual);
}

/** Whether of several faults the one that is due first passed, and a later one was refused, be it with a wrong code. */
export function isOfLaterFault({ expected, actual }: Pick<Break, 'expected' | 'actual'>): boolean {
  const due = refusalIn(expected);
  const came = /^410\b/.test(actual) ? codes.retired : refusalIn(actual);
  return due !== undefined && came !== undefined && statedOrder(due, came)?.first === due;
}

/** The refusal of the gateway that a text names by its code. */
function refusalIn(text: string): PlatformCode | undefined {
  return refusalWith(Number(platformCode.exec(text)?.[1]));
}

/** Whether an answer is of a kind that no endpoint gives: whatever stands before the service has stopped the request. */
function isStoppedBefore(actual: string): boolean {
  return isPageOf(actual) || /^(?:403|411|413|414|417|429|431)\b/.test(actual);
}

/** What came, without how often it came when it was asked again: that is chance. */
export function eachTime(actual: string): string {
  return actual.replace(/, in \d{1,6} of \d{1,6} tries: intermittent, 95 % interval [^,]{1,40}$/, '');
}

export const platformCode = /code (10009\d{3})/;

/** Whether a text tells of an answer by its status. */
export function isAnswer(text: string): boolean {
  return /^\d{3}(?:$|,)/.test(text);
}

/** Whether a text tells of what did not come. */
export function isAbsence(text: string): boolean {
  return /^(?:none|nothing)\b|^\d+ lost\b/.test(text);
}

/** How many records break it, and how many bear on it; of none where nothing was looked through. */
export function timesOf({ checks }: Pick<Break, 'checks'>): { readonly wrong: number; readonly of: number } {
  const { wrong = 0, of = 0 } = checks.find(({ inPassing }) => inPassing)?.shared ?? {};
  return { wrong, of };
}

/** The value of a fact that all records have in common. */
export function factOf({ facts }: Pick<Break, 'facts'>, wanted: FactName): string | undefined {
  return facts.find(({ name }) => name === wanted)?.value;
}

/** Whether what came instead is a page for people, as a server in front of the service makes it. */
export function isPageOf(actual: string): boolean {
  return /^(?:\d{3}, )?an HTML page\b/.test(actual);
}
