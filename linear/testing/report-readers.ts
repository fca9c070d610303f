import { compareResults } from '../../reports/compare/compare.ts';
import { comparisonLines } from '../../reports/compare/lines.ts';
import { ctrfReport } from '../../reports/ctrf.ts';
import { historyLineOf } from '../../reports/history.ts';
import { htmlReport } from '../../reports/html.ts';
import { caseBlock } from '../../reports/html/case.ts';
import { firstDifference, isLookAlike } from '../../reports/html/difference.ts';
import { blockOf, leastRoom, lineOf } from '../../reports/html/words.ts';
import { exactLine, exactText, exactTextOf, markup } from '../../reports/html/markup.ts';
import { junitReport } from '../../reports/junit.ts';
import { summaryMarkdown } from '../../reports/markdown.ts';
import { fits, noFilter, searchable } from '../../reports/page/state.ts';
import { commentText, literal, repeatScript } from '../../reports/repeat/script.ts';
import { hostileResults, sampleExchange } from '../../reports/testing/sample-run.ts';
import { summaryLines } from '../../reports/terminal.ts';
import { shortened, visible } from '../../reports/visible.ts';
import { asJson, doctorLines } from '../../desk/doctor/doctor-lines.ts';
import { inPortuguese } from '../../runner/portuguese/in-portuguese.ts';
import { judgeControlFailure } from '../../runner/preflight/control.ts';
import { problem } from '../../runner/preflight/finding.ts';
import { wayOf, wayText } from '../../schemas/finding.ts';
import type { Reader } from './growth.ts';
import { modelOf } from '../../reports/model.ts';

/** What a text goes through that a run shows. */
export const shownTextReaders: readonly Reader[] = [
  { name: 'a text that is cut', read: (text) => [blockOf(text, leastRoom).html, lineOf(text, leastRoom).html] },
  { name: 'one way to fail', read: (text) => wayText(wayOf({ endpoint: text, expected: text, actual: text })) },
  { name: 'a text in Portuguese', read: (text) => [inPortuguese(text), inPortuguese(text.slice(0, 700))] },
  { name: 'a finding', read: findingReading },
  { name: 'a failed control API', read: judgeControlFailure },
];

/** What a text is written by into a page or a file. */
export const escapingReaders: readonly Reader[] = [
  { name: 'a visible text', read: (text) => [visible(text), visible(text, '\n'), shortened(text, 100)] },
  {
    name: 'a case in words',
    read: (text) => caseBlock(`{"flaw":${text}}`, { block: Number.POSITIVE_INFINITY, line: 500 }).html,
  },
  { name: 'the first difference', read: (text) => [firstDifference(text, `"${text}`), isLookAlike(text, `${text}a`)] },
  { name: 'a text in a page', read: (text) => markup`<p title="${text}">${text}</p>`.html },
  { name: 'an exact text', read: (text) => [exactText(text).html, exactLine(text).html] },
  { name: 'a text in a script', read: (text) => [literal(text), commentText(text)] },
  { name: 'a script', read: scriptOf },
];

/** What the page's own script does with a text. */
export const pageReaders: readonly Reader[] = [
  { name: 'the search in the page', read: searchReading },
  {
    name: 'an exact text of the page',
    read: (text) =>
      exactTextOf([
        { text, isSpelt: true },
        { text, isSpelt: false },
      ]),
  },
];

/** What a run goes through in which every text is that one; a report holds many of them. */
export const reportReaders: readonly Reader[] = [
  { name: 'the page', read: (text) => htmlReport(modelOf(runOf(text))) },
  { name: 'JUnit', read: (text) => junitReport(modelOf(runOf(text))) },
  { name: 'CTRF', read: (text) => ctrfReport(modelOf(runOf(text))) },
  { name: 'Markdown', read: (text) => summaryMarkdown(modelOf(runOf(text))) },
  { name: 'the terminal', read: (text) => summaryLines(modelOf(runOf(text)), { colour: true }) },
  { name: 'the history', read: (text) => historyLineOf(runOf(text), 'suite') },
  { name: 'the comparison', read: (text) => comparisonLines(compareResults(runOf(text), runOf(text.slice(1)))) },
  { name: 'the sentences', read: (text) => modelOf(runOf(text), { inPortuguese }).told },
];

const shareOfReport = 64;

function runOf(text: string): ReturnType<typeof hostileResults> {
  return hostileResults(text.slice(0, text.length / shareOfReport));
}

function scriptOf(text: string): string {
  const { durationMs } = sampleExchange();
  const request = { method: text, target: text, headers: [['token', text] as [string, string]] };
  const facts = { baseUrl: text, clause: text, expected: text, actual: text, replay: text };
  return repeatScript([{ kind: 'call', evidence: { request, durationMs } }], facts);
}

function findingReading(text: string): unknown {
  const findings = [problem(text, `${text}: ${text}`, text)];
  return [doctorLines(findings, true, inPortuguese), asJson(findings, undefined)];
}

function searchReading(text: string): boolean {
  const item = { verdict: 'failed', level: 'must', topic: 'echo', words: searchable(text) };
  return fits({ ...noFilter, text: text.slice(0, 100) })(item);
}
