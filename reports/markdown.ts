import type { ClauseResult, Results } from '../schemas/results.ts';
import { changesSince } from './changes.ts';
import { judgementsOf, type Earlier } from './earlier.ts';
import { failedChecks } from './evidence.ts';
import { duration, figure, utc, requestsText } from './figures.ts';
import { isSameTarget } from './history-lines.ts';
import { byReason, byTopic, totalsOf, type ReasonGroup, type TopicSummary } from './grouping.ts';
import { clausesText } from './must.ts';
import { leftLine } from './left-behind.ts';
import { verdictSentence } from './sentence.ts';
import { bytesOf, listsWithin, type MarkdownList } from './markdown-lists.ts';
import { isBroken, isStale } from './stale.ts';
import { failureLines } from './terminal/summary.ts';
import { clausesOf, runVerdictLooks, verdictLooks } from './verdicts.ts';
import { shortened, visible } from './visible.ts';

/** Bytes that a summary takes at most: GitHub refuses what is longer than 1 MiB. */
const mostBytes = 1_000_000;

/** Failures of each kind that a summary holds; the report has them all. */
const mostFailures = 50;
const longestText = 2_000;

/** The summary of a run for a CI job page, in the Markdown of GitHub and GitLab. */
export function summaryMarkdown(results: Results, earlier?: Earlier): string {
  const { word, sign } = runVerdictLooks[results.verdict];
  const above = [
    `## ${sign} ${word}`,
    inline(verdictSentence(results)),
    ...(earlier === undefined ? [] : changes(earlier, results)),
    topicTable(results),
  ];
  const sent = `${requestsText(results)} in ${duration(results.durationMs)}, started ${inline(utc(results.startedAt))}.`;
  const below = [sent, leftLine(results)].filter((line) => line !== undefined).join('  \n');
  const lists = [
    failures('Failures', results.clauses.filter(isBroken)),
    failures('Stale known deviations', results.clauses.filter(isStale)),
    failures('Warnings', clausesOf(results, 'warned')),
    failures('Known deviations', clausesOf(results, 'known')),
    unjudged('not exercised', clausesOf(results, 'not-exercised')),
    unjudged('withheld', clausesOf(results, 'withheld')),
  ];
  const blocks = [...above, ...listsWithin(lists, mostBytes - bytesOf([...above, below])), below];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function changes(earlier: Earlier, results: Results): string[] {
  const { newlyFailed, brokenOtherwise, fixed, stoppedRunning, stoppedChecks, startedRunning, stale } = changesSince(
    earlier,
    judgementsOf(results),
  );
  const rows: [string, readonly string[]][] = [
    ['Newly failed', newlyFailed],
    ['Broken otherwise than before', brokenOtherwise],
    ['Fixed', fixed],
    ['Stopped running', stoppedRunning],
    ['Checks that stopped running', stoppedChecks.map(({ clause, name }) => `${clause}: ${name}`)],
    ['Started running', startedRunning],
    ['Stale known deviations', stale],
  ];
  const lines = rows
    .filter(([, ids]) => ids.length > 0)
    .map(([title, ids]) => `- ${title}: ${ids.map(code).join(', ')}`);
  const since = `since ${inline(utc(earlier.startedAt))}`;
  return [
    `### What changed ${since}`,
    comparedWith(earlier, results),
    lines.length > 0 ? lines.join('\n') : nothingChanged(earlier, results),
  ];
}

function nothingChanged(earlier: Earlier, results: Results): string {
  if (results.verdict === 'error') return 'This run ended in an error, so it is not compared.';
  if (earlier.verdict === 'error') return 'That run ended in an error, so nothing is compared with it.';
  return 'No clause that both runs judged came to another verdict, or broke otherwise.';
}

function comparedWith(earlier: Earlier, { target }: Results): string {
  const place = ({ kind, baseUrl }: Pick<Earlier, 'kind' | 'baseUrl'>): string => inline(`${kind}, ${baseUrl}`);
  const other = `**That run tested another target**: ${place(earlier)}; this one: ${place(target)}.`;
  return isSameTarget(earlier, target) ? `Compared with a run on ${place(earlier)}.` : other;
}

function topicTable(results: Results): string {
  if (results.clauses.length === 0) return '';
  const heads = ['topic', ...verdictLooks.map((look) => `${look.sign} ${look.word}`), 'checks', 'cases'];
  return [
    `| ${heads.join(' | ')} |`,
    `| :-- |${' --: |'.repeat(heads.length - 1)}`,
    ...byTopic(results.clauses).map((summary) => row(code(summary.topic), summary)),
    ...totalsOf(results.clauses).map((summary) => row(summary.topic, summary)),
  ].join('\n');
}

function row(name: string, summary: TopicSummary): string {
  const numbers = [...verdictLooks.map((look) => summary.counts[look.count]), summary.checks, summary.cases];
  return `| ${name} | ${numbers.map((number) => (number === 0 ? '' : figure(number))).join(' | ')} |`;
}

function failures(title: string, clauses: readonly ClauseResult[]): MarkdownList {
  const items = clauses.map((clause) => ({ text: folded(clause), clauses: 1 }));
  return { title, items, most: mostFailures, frame: (shown) => shown };
}

/** A clause that folds open to its failed checks. All on one line, since an empty line would end the HTML. */
function folded(clause: ClauseResult): string {
  const checks = failedChecks(clause).map((check) => `<pre>${inline(failureLines(clause, check).join('\n'))}</pre>`);
  const reason = clause.reason === undefined ? '' : `<p>Reason: ${inline(clause.reason)}</p>`;
  const head = `${code(clause.id)} (${inline(clause.section)}, ${clause.level}) ${statementText(clause.statement)}`;
  return `<details><summary>${head}</summary>${reason}${checks.join('')}</details>`;
}

function unjudged(what: string, clauses: readonly ClauseResult[]): MarkdownList {
  const items = byReason(clauses).map((group) => ({ text: reasonItem(group), clauses: group.clauses.length }));
  const summary = `<summary>${clausesText(clauses)} ${what}</summary>`;
  const frame = (shown: string): string => `<details>${summary}${shown}</details>`;
  const title = what.charAt(0).toUpperCase() + what.slice(1);
  return { title, items, most: items.length, frame };
}

function reasonItem({ reason, clauses }: ReasonGroup): string {
  return `<p>${inline(reason)}</p><ul>${clauses.map((clause) => `<li>${code(clause.id)}</li>`).join('')}</ul>`;
}

/** A statement of the catalogue, its back-quoted words set as code. */
function statementText(statement: string): string {
  return inline(statement).replace(/&#96;(.*?)&#96;/g, '<code>$1</code>');
}

function code(text: string): string {
  return `<code>${inline(text)}</code>`;
}

/** A text on one line in which nothing is markup, neither of Markdown nor of HTML, nor a link or a mention. */
function inline(text: string): string {
  return visible(shortened(text, longestText), '\n').replace(
    /[&<>"'`*_[\]{}()|\\~#@$:!\n]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}
