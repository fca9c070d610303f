import { topicOf } from '../contract/catalogue.ts';
import type { CheckResult, ClauseResult, Results, ExchangeEvidence } from '../schemas/results.ts';
import type { Finding } from '../schemas/finding.ts';
import { reachText } from './findings/statement.ts';
import { findingsIn } from './findings/findings.ts';
import { verdictSentence } from './sentence.ts';
import { isStale } from './verdicts.ts';
import { shortened, visible } from './visible.ts';
import { brokenEndpoints } from './changes.ts';
import { decisiveExchange, requestHeader } from './evidence.ts';
import { inEnglish, type Speech } from './language.ts';
import { summaryWords, type Label, type SummaryWords } from './summary-words.ts';

/** A check of a run as a CI system meets it: as a test. */
export interface TestCase {
  /** The topic; of what a finding breaks, the finding; `run` of what stopped the whole run. */
  readonly suite: string;
  readonly name: string;
  /** The spec that holds the check; empty where there is none. */
  readonly file: string;
  readonly durationMs: number;
  /** `tolerated`: it failed, and the run stays conformant. `error`: the target could not be tested. */
  readonly outcome: 'passed' | 'failed' | 'tolerated' | 'skipped' | 'error';
  /** Why it did not pass, in one sentence. */
  readonly message?: string;
  /** The failure with all its evidence, line by line. */
  readonly details?: string;
  readonly clause?: ClauseResult;
  readonly check?: CheckResult;
  /** The cause that it fails for. */
  readonly finding?: Finding;
}

/** Longest value of a message: systems that read these files show it in a line. */
const longestValue = 2_000;
const longestName = 200;

/**
 * The tests of a run. Only what makes the run nonconformant has failed: a failure of a known or warned clause is tolerated,
 * since a CI job that reads it must stay green. What stopped a run is one test, in error, before those that were made.
 */
export function testCases(results: Results): TestCase[] {
  const findings = findingsIn(results);
  const cases = results.clauses.flatMap((clause) => {
    const finding = findings.find(({ clauses }) => clauses.includes(clause.id));
    return casesOf(clause).map((own) => (finding && own.details !== undefined ? ofFinding(own, finding) : own));
  });
  return results.verdict === 'error' ? [errorCase(results), ...cases] : cases;
}

/** What fails for one cause stands together, under what the target does. */
function ofFinding(own: TestCase, finding: Finding): TestCase {
  const summary = shortened(finding.summary, longestName);
  const told = `${summary} (${reachText(finding, 'en')})`;
  return { ...own, suite: `finding ${finding.id}`, details: `${told}\n\n${own.details ?? ''}`, finding };
}

function errorCase(results: Results): TestCase {
  const message = results.error ?? verdictSentence(results);
  const name = results.clauses.length === 0 ? 'the target can be tested' : 'the run comes to its end';
  return { suite: 'run', name, file: '', durationMs: results.durationMs, outcome: 'error', message };
}

function casesOf(clause: ClauseResult): TestCase[] {
  if (clause.checks.length === 0 && (clause.verdict === 'not-exercised' || clause.verdict === 'blocked'))
    return [notRunCase(clause)];
  const cases = clause.checks.map((check) => checkCase(clause, check));
  return isStale(clause) ? [...cases, staleCase(clause)] : cases;
}

function checkCase(clause: ClauseResult, check: CheckResult): TestCase {
  const { name, file, durationMs } = check;
  return { suite: topicOf(clause.id), name, file, durationMs, clause, check, ...outcomeOf(clause, check) };
}

function outcomeOf(clause: ClauseResult, check: CheckResult): Pick<TestCase, 'outcome' | 'message' | 'details'> {
  if (check.state === 'passed') return { outcome: 'passed' };
  if (check.state === 'not-exercised') return { outcome: 'skipped', message: skippedFor(clause, check) };
  const { expected, actual } = check.error ?? { expected: 'the clause holds', actual: 'it does not' };
  const found = `expected: ${shortened(expected, longestValue)}; actual: ${shortened(actual, longestValue)}`;
  if (clause.blockedBy) return { outcome: 'skipped', message: `${clause.reason}: ${found}` };
  const details = failureLines(clause, check).join('\n');
  if (clause.verdict === 'failed' && !check.covered) return { outcome: 'failed', message: found, details };
  return { outcome: 'tolerated', message: toleratedMessage(clause, check, found), details };
}

function toleratedMessage(
  { verdict, reason = '', level }: ClauseResult,
  { covered }: CheckResult,
  found: string,
): string {
  if (verdict === 'known') return `known deviation: ${reason}`;
  return covered ? `a known deviation covers this: ${found}` : `warned (${level}): ${found}`;
}

function skippedFor(clause: ClauseResult, check: CheckResult): string {
  const isWithheld = clause.verdict === 'withheld';
  const reason = (isWithheld ? clause : check).reason ?? 'without a reason';
  return `${isWithheld ? 'withheld' : 'not exercised'}: ${reason}`;
}

/** A clause whose shard left nothing has no check to name, and must not go unseen. */
function notRunCase(clause: ClauseResult): TestCase {
  return {
    suite: topicOf(clause.id),
    name: clause.statement,
    file: '',
    durationMs: 0,
    outcome: 'skipped',
    message: `not exercised: ${clause.reason ?? 'without a reason'}`,
    clause,
  };
}

function staleCase(clause: ClauseResult): TestCase {
  return {
    suite: topicOf(clause.id),
    name: 'the list of known deviations is up to date',
    file: '',
    durationMs: 0,
    outcome: 'failed',
    message: clause.reason ?? 'the list of known deviations is stale',
    clause,
  };
}

const longestShown = 400;
const longestTitle = 200;
const mostValueLines = 20;

/** A failed check as a reader meets it: what was expected above what came, the request, and how to repeat it. */
export function failureLines(
  clause: ClauseResult,
  check: CheckResult,
  { language, say }: Speech = inEnglish,
): string[] {
  const { error } = check;
  const exchange = decisiveExchange(check);
  const words = summaryWords[language];
  return [
    failureHead(clause, say(error?.title ?? check.name)),
    ...labelled('expected', error && say(error.expected), words),
    ...labelled('actual', error && say(error.actual), words),
    ...labelled('request', exchange && requestSummary(exchange, words), words),
    ...labelled('failsOn', onLines(brokenEndpoints(check)), words),
    ...labelled('case', check.counterexample, words),
    ...labelled('hint', error?.hint === undefined ? undefined : say(error.hint), words),
    ...labelled('flaky', check.flaky?.join(', '), words),
    ...labelled('repeat', check.replay, words),
  ];
}

function onLines(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : texts.join('\n');
}

function failureHead(clause: ClauseResult, title: string): string {
  return visible(`${clause.id}  (${clause.section})  ${shortened(title, longestTitle)}`);
}

/** A value behind its label, its further lines below its first; nothing where there is no value. */
function labelled(label: Label, value: string | undefined, words: SummaryWords): string[] {
  if (value === undefined) return [];
  const width = Math.max(...Object.values(words.labels).map(({ length }) => length)) + 2;
  const lines = shortened(value, longestShown).split(/\r?\n/);
  const shown =
    lines.length > mostValueLines ? [...lines.slice(0, mostValueLines), words.lines(String(lines.length))] : lines;
  const [first = '', ...rest] = shown.map((line) => visible(line));
  return [
    `  ${words.labels[label].padEnd(width)}${first}`,
    ...rest.map((line) => (' '.repeat(width + 2) + line).trimEnd()),
  ];
}

/** Request line, token and the start of sign, or of a delivery its event: enough to recognise a request by. */
function requestSummary(exchange: ExchangeEvidence, { none, received }: SummaryWords): string {
  const { method, target, headers } = exchange.request;
  if (exchange.received) {
    const event = headers.find(([name]) => /-event$/i.test(name ?? ''))?.[1] ?? none;
    return visible(`${received}: ${method} ${target}   event=${event}`);
  }
  const sign = requestHeader(exchange, 'sign');
  const token = requestHeader(exchange, 'token') ?? none;
  const shortSign = sign === undefined ? none : sign.length > 8 ? `${sign.slice(0, 4)}…` : sign;
  return visible(`${method} ${target}   token=${token}  sign=${shortSign}`);
}
