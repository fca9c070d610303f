import type { CheckResult, ClauseResult, Results } from '../schemas/results.ts';
import { byTopic, type TopicSummary } from './grouping.ts';
import { verdictSentence } from './sentence.ts';
import { failureLines } from './terminal.ts';

/** A test case of the report: what it came to and how it is written. */
interface TestCase {
  readonly outcome: 'passed' | 'failure' | 'skipped' | 'error';
  readonly seconds: number;
  readonly xml: string;
}

/**
 * The run as JUnit XML: one suite a topic, one case a check. A failed check of a known or warned clause is written as
 * skipped with its failure in `system-out`, since the run stays conformant and a CI job that reads this must stay green.
 */
export function junitReport(results: Results): string {
  const suites =
    results.verdict === 'error'
      ? [{ name: 'run', cases: [errorCase(results)] }]
      : byTopic(results.clauses).map(({ topic, clauses }: TopicSummary) => ({
          name: topic,
          cases: clauses.flatMap(casesOf),
        }));
  const filled = suites.filter((suite) => suite.cases.length > 0);
  const totals = attributes(counts(filled.flatMap((suite) => suite.cases)));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="NF-e conformance"${totals}>`,
    ...filled.map((suite) => suiteXml(suite.name, suite.cases, results)),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteXml(name: string, cases: readonly TestCase[], results: Results): string {
  const own = attributes({ ...counts(cases), timestamp: results.startedAt });
  const properties = { target: results.target.baseUrl, seed: results.seed, verdict: verdictSentence(results) };
  return [
    `  <testsuite name="${attributeText(name)}"${own}>`,
    '    <properties>',
    ...Object.entries(properties).map(([key, value]) => `      <property${attributes({ name: key, value })}/>`),
    '    </properties>',
    ...cases.map((testCase) => testCase.xml),
    '  </testsuite>',
  ].join('\n');
}

function casesOf(clause: ClauseResult): TestCase[] {
  const cases = clause.checks.map((check) => checkCase(clause, check));
  const isStale = clause.verdict === 'failed' && cases.every((testCase) => testCase.outcome !== 'failure');
  return isStale ? [...cases, staleCase(clause)] : cases;
}

function checkCase(clause: ClauseResult, check: CheckResult): TestCase {
  if (check.state === 'passed') return testCase('passed', clause.id, check, '');
  if (check.state === 'not-exercised')
    return testCase('skipped', clause.id, check, skipped(`not exercised: ${check.reason ?? ''}`));
  const details = escapeXml(failureLines(clause, check).join('\n'));
  const { expected, actual } = check.error ?? { expected: 'the clause holds', actual: 'it does not' };
  const found = `expected: ${expected}; actual: ${actual}`;
  if (clause.verdict === 'failed') {
    const failure = `<failure${attributes({ message: found, type: clause.level })}>${details}</failure>`;
    return testCase('failure', clause.id, check, failure);
  }
  const why =
    clause.verdict === 'known' ? `known deviation: ${clause.reason ?? ''}` : `warned (${clause.level}): ${found}`;
  return testCase('skipped', clause.id, check, `${skipped(why)}<system-out>${details}</system-out>`);
}

function staleCase(clause: ClauseResult): TestCase {
  const message = clause.reason ?? 'the list of known deviations is stale';
  const check = { name: 'the list of known deviations is up to date', file: '', durationMs: 0 };
  return testCase('failure', clause.id, check, `<failure${attributes({ message, type: 'stale' })}/>`);
}

function errorCase(results: Results): TestCase {
  const check = { name: 'the target can be tested', file: '', durationMs: results.durationMs };
  const message = results.error ?? verdictSentence(results);
  return testCase('error', 'run', check, `<error${attributes({ message, type: 'error' })}/>`);
}

function skipped(message: string): string {
  return `<skipped${attributes({ message })}/>`;
}

function testCase(
  outcome: TestCase['outcome'],
  classname: string,
  { name, file, durationMs }: Pick<CheckResult, 'name' | 'file' | 'durationMs'>,
  content: string,
): TestCase {
  const seconds = durationMs / 1000;
  const own = attributes({ classname, name, ...(file === '' ? {} : { file }), time: seconds.toFixed(3) });
  return { outcome, seconds, xml: `    <testcase${own}${content === '' ? '/>' : `>${content}</testcase>`}` };
}

function counts(cases: readonly TestCase[]): Record<string, number | string> {
  const having = (outcome: TestCase['outcome']): number => cases.filter((own) => own.outcome === outcome).length;
  const seconds = cases.reduce((sum, own) => sum + own.seconds, 0);
  return {
    tests: cases.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
    time: seconds.toFixed(3),
  };
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${attributeText(String(value))}"`)
    .join('');
}

/** A parser would turn bare line breaks and tabs of an attribute into spaces. */
function attributeText(text: string): string {
  return escapeXml(text).replace(/[\t\n]/g, reference);
}

/** Everything but what XML 1.0 allows: control characters, halves of surrogate pairs, U+FFFE and U+FFFF. */
const forbidden = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu;

/** A text for an element; forbidden characters become U+FFFD. */
function escapeXml(text: string): string {
  return text.replace(forbidden, '\ufffd').replace(/[&<>"'\r]/g, reference);
}

function reference(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
