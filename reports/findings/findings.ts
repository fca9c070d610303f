import { buildsOn, foundation } from '../../contract/catalogue.ts';
import { codes } from '../../contract/values.ts';
import { cachedAnswer } from '../../trace/records.ts';
import type { CheckResult, ClauseResult, Results } from '../../schemas/results.ts';
import { type Fact, type Finding, premiseHint, wayText } from '../../schemas/finding.ts';
import { type Break, breaksOf, eachTime, factOf, isAbsence, isOfPremises, isPageOf, timesOf } from './breaks.ts';
import { isRare } from './link.ts';
import { groupsOf } from './links.ts';
import { broadest, byName, isUnguarded } from './naming.ts';
import { anySign, pageAnswer, statementOf, takenSign } from './statement.ts';
import { brokenSince, type SeriesRun } from '../history.ts';
import { clausesOf } from '../verdicts.ts';
import { waysOf } from '../deviations.ts';
import { blockedClause } from '../blocked.ts';

/** The causes of what does not hold in a run: those that break most must clauses first. */
export function findingsOf(clauses: readonly ClauseResult[]): Finding[] {
  const groups = groupsOf(breaksOf(clauses));
  const made = groups.map((group) => findingOf(group.toSorted(byName(group)), clauses));
  const weightOf = ({ clauses: ids, blocked }: Finding): number => {
    const failed = clauses.filter(({ id, verdict }) => verdict === 'failed' && ids.includes(id)).length;
    return failed * 1_000_000 + ids.length * 1_000 + blocked.length;
  };
  return made.toSorted((one, other) => weightOf(other) - weightOf(one));
}

/**
 * The clauses of a run, those that failed only before they came to their own rule being blocked by the clause that names their finding: it
 * tells what stopped them, though they are not said to stand on it. What only warns blocks nothing that would fail the run.
 */
export function withStopped(clauses: readonly ClauseResult[]): ClauseResult[] {
  const blockers = new Map(groupsOf(breaksOf(clauses)).flatMap(stoppedIn));
  return clauses.map((clause) => {
    const blocker = blockers.get(clause.id);
    return blocker === undefined ? clause : blockedClause(clause, [blocker]);
  });
}

function stoppedIn(group: readonly Break[]): readonly (readonly [string, string])[] {
  const [cause] = group.toSorted(byName(group));
  if (!cause || isOfPremises(cause)) return [];
  const isExcused = ({ verdict }: ClauseResult): boolean =>
    verdict === 'warned' || (verdict === 'failed' && cause.clause.verdict === 'failed');
  const stopped = group.filter((one) => isOfPremises(one) && isExcused(one.clause));
  return stopped.map(({ clause }) => [clause.id, cause.clause.id] as const);
}

function findingOf(group: readonly Break[], clauses: readonly ClauseResult[]): Finding {
  const [first] = group;
  if (!first) throw new Error('a finding breaks a clause');
  const ids = group.map(({ clause }) => clause.id);
  const blocked = clauses.filter(({ blockedBy = [] }) => blockedBy.some((id) => ids.includes(id)));
  const { wrong, of } = timesOf(first);
  const before = beforeAll(group);
  const diagnosis = before ? undefined : diagnosisOf(group, blocked);
  const facts = [...factsOfAll(group).filter(({ name }) => name !== before?.name), ...circumstanceOf(first)];
  if (before) facts.push(before);
  // Connections, turns and shares that seem to be wrong are those where such a thing came before.
  const [node] = before ? [] : group.flatMap(({ checks }) => checks.flatMap(({ shared }) => shared?.node ?? []));
  const told = {
    ...(of === 0 ? {} : { observations: { wrong, of } }),
    facts,
    expected: first.expected,
    actual: first.actual,
    ...(node ? { node } : {}),
    ...(diagnosis === undefined ? {} : { diagnosis }),
  };
  return {
    id: idOf(first.clause.id, facts),
    summary: statementOf({ ...told, clauses: ids }),
    clauses: ids,
    blocked: blocked.map(({ id }) => id),
    ...told,
    evidence: group.flatMap(({ clause, checks }) => checks.map(({ name }) => ({ clause: clause.id, check: name }))),
  };
}

/** What came before on the same connection, where several clauses hang on nothing but that, and none is broken behind anything else. */
function beforeAll(group: readonly Break[]): Fact | undefined {
  const seen = group.flatMap(({ facts }) => facts.filter(({ name }) => name === 'before'));
  const [first, ...others] = seen.filter(({ telling }) => telling);
  const isOne = seen.every(({ value }) => value === first?.value) && isMostly(group, ({ facts }) => facts.length > 0);
  return first && others.length > 1 && isOne ? first : undefined;
}

/** Where something came for others and not for what one check does: that. */
function circumstanceOf(broken: Break): Fact[] {
  const { wrong, of } = timesOf(broken);
  const [one, ...others] = broken.checks.filter(({ inPassing }) => !inPassing);
  const isPart = of === 0 || wrong !== of;
  return one && others.length === 0 && isPart && isAbsence(broken.actual)
    ? [{ name: 'check', value: one.name, telling: true }]
    : [];
}

/** What is the same of everything that is broken; what the first clause hangs on is told as that. */
function factsOfAll([first, ...others]: readonly Break[]): Fact[] {
  const all = first?.facts ?? [];
  return all.filter(({ name, value }) =>
    others.every(({ facts }) => isOpen(facts, name) || isAmong(facts, name, value)),
  );
}

function isOpen(facts: Break['facts'], name: string): boolean {
  return facts.length === 0 || (name === 'event' && facts.every((fact) => fact.name !== name));
}

function isAmong(facts: Break['facts'], name: string, value: string): boolean {
  return facts.some((fact) => fact.name === name && fact.value === value);
}

/**
 * A cache explains the answers that it kept. A way to sign that the target takes explains all of it, whichever check has found it; else what
 * the first checks hint at. Who takes many ways, and signs that are none, looks at no sign; so does the endpoint that takes one of zeros.
 * Who fails, lets pass whatever else is wrong as well, refuses by the right code, or answers a right sign in the same way, takes none.
 */
function diagnosisOf(group: readonly Break[], blocked: readonly ClauseResult[]): string | undefined {
  const own = group.flatMap(({ checks }) => checks);
  const isOfSigning = !isUnguarded(group) && !group[0]?.actual.startsWith('5');
  const toRight = new Set(
    group.filter((one) => factOf(one, 'signed') === 'right').map(({ actual }) => eachTime(actual)),
  );
  const isTold = (error: CheckError): boolean => {
    if (error.hint === premiseHint) return false;
    if (!takenSign.test(error.hint ?? '') && !takesAnySign.test(error.hint ?? '')) return true;
    return (
      isOfSigning &&
      !(isSignRefused(error.expected) && (isSignRefused(error.actual) || toRight.has(eachTime(error.actual))))
    );
  };
  const hintsOf = (checks: readonly CheckResult[]): readonly string[] =>
    checks.flatMap(({ error }) => (error?.hint !== undefined && isTold(error) ? [error.hint] : []));
  const hints = hintsOf([...own, ...blocked.flatMap(({ checks }) => checks)]);
  if (isOfCache(own)) return cachedAnswer;
  if (isPageOf(group[0]?.actual ?? '') && isMostly(group, ({ actual }) => isPageOf(actual))) return pageAnswer;
  const taken = new Set(hints.filter((hint) => takenSign.test(hint)));
  const isAnyTaken = group.some(({ clause }) => clause.id === 'signature.mismatch-refused');
  if (isAnyTaken && taken.size >= manyWays) return `the target takes ${anySign}`;
  const anyThere = hints.find((hint) => takesAnySign.test(hint) && !takenSign.test(hint));
  const one = anyThere ?? [...taken][0];
  // What others would hint at is not so where a sign that is none is taken.
  const [first, ...others] = group;
  const isSeldom = first?.clause.id === foundation && isRare(first);
  const alike = others
    .filter((one) => !isSeldom || one.actual === first.actual)
    .filter((one) => !isOnlyFor(one, group));
  const telling = [...(first?.checks ?? []), ...(isAnyTaken ? [] : alike.flatMap(({ checks }) => checks))];
  return one ?? hintsOf(telling)[0];
}

/** Whether a text is the refusal of a wrong sign, by whatever status. */
function isSignRefused(text: string): boolean {
  return text.includes(`code ${codes.signMismatch.code}`);
}

/** What a check failed with. */
type CheckError = NonNullable<CheckResult['error']>;

/** How a check tells that an endpoint looks at no sign. */
const takesAnySign = / takes any sign$/;

/** Whether a clause stands on another of them: what is wrong there explains it, and not its own hint. A right request that passes is below all. */
function isOnlyFor({ clause }: Break, group: readonly Break[]): boolean {
  const below = buildsOn(clause.id);
  return group.some((other) => !broadest.has(other.clause.id) && below.has(other.clause.id));
}

/** Whether most of what is broken says so of itself. */
function isOfCache(checks: readonly CheckResult[]): boolean {
  return isMostly(checks, ({ error }) => error?.hint === cachedAnswer);
}

function isMostly<T>(all: readonly T[], isSo: (one: T) => boolean): boolean {
  return all.filter(isSo).length * 2 > all.length;
}

/** Ways to sign that can't all be the one that a target has in place of the right one. */
const manyWays = 5;

/** Of what the same clause may break by, that which is the same in every run: where. */
function idOf(clause: string, facts: Break['facts']): string {
  const where = facts.find(({ name, telling }) => telling && (name === 'endpoint' || name === 'channel'));
  return where === undefined ? clause : `${clause}@${where.value}`;
}

/** The findings of a run; of results of before there were any, made of their clauses. */
export function findingsIn({ findings, clauses }: Pick<Results, 'findings' | 'clauses'>): readonly Finding[] {
  return findings ?? findingsOf(clauses);
}

/** What came before a run: the runs like it, itself the last of them, and one that it is to be compared with. */
interface Before {
  readonly series: readonly SeriesRun[];
  readonly baseline?: Results | undefined;
}

/** The results with since when each cause is known: since its first clause has not held, by the runs of before. */
export function withSince(results: Results, { series, baseline }: Before): Results {
  const heldInBaseline = new Set(baseline ? clausesOf(baseline, 'passed').map(({ id }) => id) : []);
  return { ...results, findings: findingsIn(results).map((finding) => dated(finding, series, heldInBaseline)) };
}

function dated(finding: Finding, series: readonly SeriesRun[], heldInBaseline: ReadonlySet<string>): Finding {
  const [id = ''] = finding.clauses;
  const since = brokenSince(id, series);
  if (since === undefined) return finding;
  const isNew = since.runs === 1 && (since.isKnownToHaveHeld || heldInBaseline.has(id));
  // The only run that is known says nothing of since when.
  if (since.runs === 1 && !isNew) return finding;
  return { ...finding, since: since.startedAt, ...(isNew ? { isNew } : {}) };
}

/** What repeating a finding came to: the same again, all in order, broken otherwise, or nothing that tells. */
type Repetition = 'REPRODUCED' | 'FIXED' | 'CHANGED' | 'NOT TRIED';

/** A finding that was repeated. */
export interface RepeatedFinding {
  readonly finding: Finding;
  readonly state: Repetition;
  /** What came now, where that is otherwise; why nothing did. */
  readonly now?: string;
}

/** What became of the findings of a run, by a run that repeated their checks. */
export function repeatedFindings(before: Results, after: Results): readonly RepeatedFinding[] {
  return findingsIn(before).map((finding) => repeated(finding, before, after));
}

function repeated(finding: Finding, before: Results, after: Results): RepeatedFinding {
  const pairs = finding.evidence.map((name) => ({ was: checkOf(before, name), is: checkOf(after, name), name }));
  const failed = pairs.filter(({ is }) => is?.state === 'failed');
  if (failed.some(({ was, is }) => was && is && isAlike(was, is))) return { finding, state: 'REPRODUCED' };
  const [changed] = failed;
  if (changed) return { finding, state: 'CHANGED', ...nowOf(changed.is?.error?.actual) };
  const isMended = pairs.some(({ was, is }) => is?.state === 'passed' && hasFailedSurely(was, finding));
  if (isIntermittent(finding) && !isMended && !isExcluded(finding, after))
    return { finding, state: 'NOT TRIED', now: seldom(finding) };
  // What is seen in passing need not come by again where a check of the finding is made, and passes.
  const isAnyMade = pairs.some(({ is }) => is?.state === 'passed');
  const untried = pairs.find(({ is, name }) =>
    is ? is.state !== 'passed' : !isAnyMade && !isHeld(after, name.clause),
  );
  if (!untried) return { finding, state: 'FIXED' };
  return { finding, state: 'NOT TRIED', ...nowOf(untried.is?.reason ?? reasonOf(after, untried.name.clause)) };
}

/** Whether it came and went by nothing that is known: that it does not come now says little. */
function isIntermittent({ observations, facts = [] }: Finding): boolean {
  return observations !== undefined && observations.wrong < observations.of && !facts.some(({ telling }) => telling);
}

/** Whether a check failed each time it was tried, and so often that what comes as often as it did would hardly have done so. */
function hasFailedSurely(was: CheckResult | undefined, { observations }: Finding): boolean {
  const again = was?.error?.again;
  if (again === undefined) return false;
  const { wrong, of } = observations ?? { wrong: 0, of: 1 };
  return (wrong / of) ** (again + 1) <= 0.05;
}

/** Whether so many answers were right now that one as frequent as before would have been among them, 19 times in 20. */
function isExcluded({ clauses: [clause], observations }: Finding, after: Results): boolean {
  const now = after.clauses.find(({ id }) => id === clause)?.observations;
  return observations !== undefined && now?.wrong === 0 && now.bound95 < observations.wrong / observations.of;
}

function seldom({ observations: { wrong, of } = { wrong: 0, of: 0 } }: Finding): string {
  return `nothing wrong, but it was so in ${wrong} of ${of} only: a whole run sees more`;
}

function nowOf(words: string | undefined): Pick<RepeatedFinding, 'now'> {
  return words === undefined ? {} : { now: words };
}

type Name = Finding['evidence'][number];

function checkOf({ clauses }: Results, { clause, check }: Name): CheckResult | undefined {
  return clauses.find(({ id }) => id === clause)?.checks.find(({ name }) => name === check);
}

/** Whether a check fails in a way in which it failed before: ids and numbers apart. */
function isAlike(was: CheckResult, is: CheckResult): boolean {
  const known = new Set(textsOf(was));
  return textsOf(is).some((text) => known.has(text));
}

/** The ways in which a check failed, without the places: what was seen in passing may show at another one first. */
function textsOf(check: CheckResult): string[] {
  return waysOf(check).map(({ expected, actual }) => wayText({ expected, actual }));
}

/** Whether what no check of its own judges was seen to hold: a clause that passed was. */
function isHeld({ clauses }: Results, clause: string): boolean {
  return clauses.find(({ id }) => id === clause)?.verdict === 'passed';
}

function reasonOf({ clauses, error }: Results, clause: string): string | undefined {
  return clauses.find(({ id }) => id === clause)?.reason ?? error;
}
