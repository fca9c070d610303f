import { wholeSentence, type ReportModel } from './model.ts';
import type { TestCase } from './test-cases.ts';

/**
 * The run as JUnit XML: one suite a topic, one case a check. A tolerated failure is written as skipped, with its evidence in
 * `system-out`. It holds only the elements and attributes of the schema that Jenkins reads by.
 */
export function junitReport(model: ReportModel): string {
  const { skipped: _, ...totals } = counts(model.tests);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="NF-e conformance"${attributes(totals)}>`,
    ...[...Map.groupBy(model.tests, ({ suite }) => suite)].map(([name, own]) => suiteXml(name, own, model)),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteXml(name: string, cases: readonly TestCase[], { results, told }: ReportModel): string {
  const own = attributes({ name, ...counts(cases), timestamp: results.startedAt, ...fileOf(cases) });
  const properties = { target: results.target.baseUrl, seed: results.seed, verdict: wholeSentence(told.en) };
  return [
    `  <testsuite${own}>`,
    '    <properties>',
    ...Object.entries(properties).map(([key, value]) => `      <property${attributes({ name: key, value })}/>`),
    '    </properties>',
    ...cases.map(caseXml),
    '  </testsuite>',
  ].join('\n');
}

/** The spec of a suite: Jenkins knows no file of a case, and takes a second suite of a name for a repetition of the first. */
function fileOf(cases: readonly TestCase[]): { file?: string } {
  const [file, ...others] = new Set(cases.map((own) => own.file).filter((own) => own !== ''));
  return file === undefined || others.length > 0 ? {} : { file };
}

function caseXml(testCase: TestCase): string {
  const { clause, name, durationMs } = testCase;
  const own = attributes({ classname: clause?.id ?? testCase.suite, name, time: secondsText(durationMs) });
  const content = contentXml(testCase);
  return `    <testcase${own}${content === '' ? '/>' : `>${content}</testcase>`}`;
}

function contentXml({ outcome, clause, check, message = '', details = '' }: TestCase): string {
  switch (outcome) {
    case 'passed':
      return '';
    case 'skipped':
      return element('skipped', { message });
    case 'tolerated':
      return element('skipped', { message }) + element('system-out', {}, details);
    case 'failed':
      return element('failure', { message, type: check ? (clause?.level ?? 'must') : 'stale' }, details);
    case 'error':
      return element('error', { message, type: 'error' });
  }
}

function element(name: string, values: Readonly<Record<string, string>>, text = ''): string {
  const opened = `<${name}${attributes(values)}`;
  return text === '' ? `${opened}/>` : `${opened}>${escapeXml(text)}</${name}>`;
}

function counts(cases: readonly TestCase[]) {
  const having = (...outcomes: TestCase['outcome'][]): number =>
    cases.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    tests: cases.length,
    failures: having('failed'),
    errors: having('error'),
    skipped: having('skipped', 'tolerated'),
    time: secondsText(cases.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  };
}

function secondsText(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
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
