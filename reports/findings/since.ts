import { type Finding, wayText } from '../../schemas/finding.ts';
import type { Results, CheckResult } from '../../schemas/results.ts';
import { brokenSince, type SeriesRun } from '../history.ts';
import { clausesOf } from '../verdicts.ts';
import { findingsOf } from './findings.ts';
import { waysOf } from '../deviations.ts';

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
  if (isIntermittent(finding)) return { finding, state: 'NOT TRIED', now: seldom(finding) };
  const untried = pairs.find(({ is, name }) => (is ? is.state !== 'passed' : !isHeld(after, name.clause)));
  if (!untried) return { finding, state: 'FIXED' };
  return { finding, state: 'NOT TRIED', ...nowOf(untried.is?.reason ?? reasonOf(after, untried.name.clause)) };
}

/** Whether it came and went by nothing that is known: that it does not come now says little. */
function isIntermittent({ observations, facts = [] }: Finding): boolean {
  return observations !== undefined && observations.wrong < observations.of && !facts.some(({ telling }) => telling);
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
