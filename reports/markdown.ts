import type { CheckResult, ClauseResult } from '../schemas/results.ts';
import { changeTitles, notCompared, type Changes, type Earlier } from './changes.ts';
import { failedChecks } from './evidence.ts';
import { failureLines } from './test-cases.ts';
import { findingStatement, lookOf, reachText } from './findings/statement.ts';
import { duration, figure, utc, requestsText, testedText, type Language, type Speech } from './language.ts';
import { groups, wholeSentence, type ComparedRun, type ReportModel } from './model.ts';
import { markdownWords, type MarkdownWords, summaryWords, type SummaryWords } from './summary-words.ts';
import {
  type ReasonGroup,
  type TopicSummary,
  levelPhrases,
  clausesText,
  runVerdictLooks,
  verdictLooks,
} from './verdicts.ts';
import { shortened, visible } from './visible.ts';

/** Bytes that a summary takes at most: GitHub refuses what is longer than 1 MiB. */
const mostBytes = 1_000_000;

/** Failures of each kind that a summary holds; the report has them all. */
const mostFailures = 50;
const mostFindings = 50;
const longestText = 2_000;

/** The words of a summary. */
interface Words extends Speech {
  /** Those that the terminal has, too. */
  readonly common: SummaryWords;
  readonly own: MarkdownWords;
}

/** The summary of a run for a CI job page, in the Markdown of GitHub and GitLab. */
export function summaryMarkdown(model: ReportModel, language: Language = 'en'): string {
  const { results, comparison } = model;
  const { words: verdict, sign } = runVerdictLooks[results.verdict];
  const words = { language, say: model.say[language], common: summaryWords[language], own: markdownWords[language] };
  const told = model.told[language];
  const above = [
    `## ${sign} ${verdict[language]}`,
    words.own.tested(inline(testedText(results, language))),
    inline(wholeSentence(told)),
    inline(told.sure.join(' ')),
    inline(told.defects.join(' ')),
    ...findings(model, words),
    ...(comparison === undefined ? [] : changes(comparison, model, words)),
    topicTable(model, words),
  ];
  const sent = words.own.sent(
    requestsText(results, language),
    duration(results.durationMs, language),
    inline(utc(results.startedAt)),
  );
  const below = told.left === undefined ? sent : `${sent}  \n${told.left}`;
  const lists = [
    ...(['failures', 'stale', 'warnings', 'known'] as const).map((name) => failures(name, model, words)),
    ...(['not-exercised', 'blocked', 'withheld'] as const).map((name) => unjudged(name, model, words)),
  ];
  const room = mostBytes - bytesOf([...above, below]);
  const blocks = [...above, ...listsWithin(lists, room, words.own.more), below];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** A row for each cause of what does not hold. */
function findings({ findings: all, results }: ReportModel, { language, say, common }: Words): string[] {
  const rows = all.slice(0, mostFindings).map((finding) => {
    const [id = ''] = finding.clauses;
    const { sign } = lookOf(finding, results.clauses);
    const section = results.clauses.find((clause) => clause.id === id)?.section ?? '';
    const told = inline(findingStatement(finding, { language, say }));
    return `- ${sign} ${inline(section)} ${code(id)}: ${told} (${reachText(finding, language)})`;
  });
  if (rows.length === 0) return [];
  const left = all.length - rows.length;
  const more = left === 0 ? [] : [`- ${common.moreFindings(figure(left, language))}`];
  return [`### ${common.findings}`, [...rows, ...more].join('\n')];
}

/** The lists of changes in their order. */
const changeOrder = [
  'newlyFailed',
  'brokenOtherwise',
  'fixed',
  'stoppedRunning',
  'stoppedChecks',
  'startedRunning',
  'stale',
] as const satisfies readonly (keyof Changes)[];

function changes(comparison: ComparedRun, { results }: ReportModel, { language, say, own }: Words): string[] {
  const { earlier, changes: found } = comparison;
  const lines = changeOrder.flatMap((name) => {
    const items = found?.[name] ?? [];
    const texts = items.map((item) => code(typeof item === 'string' ? item : `${item.clause}: ${say(item.name)}`));
    return texts.length === 0 ? [] : [`- ${changeTitles[name][language]}: ${texts.join(', ')}`];
  });
  const nothing = found ? own.nothingChanged : notCompared[results.verdict === 'error' ? 'this' : 'that'][language];
  return [
    `### ${own.whatChanged(inline(utc(earlier.startedAt)))}`,
    comparedWith(comparison, results.target, own),
    lines.length > 0 ? lines.join('\n') : nothing,
  ];
}

function comparedWith(
  { earlier, isSameTarget }: ComparedRun,
  target: Pick<Earlier, 'kind' | 'baseUrl'>,
  words: MarkdownWords,
): string {
  const place = ({ kind, baseUrl }: typeof target): string => inline(`${kind}, ${baseUrl}`);
  return isSameTarget ? words.comparedWith(place(earlier)) : words.otherTarget(place(earlier), place(target));
}

function topicTable({ topics, totals }: ReportModel, { language, common }: Words): string {
  if (topics.length === 0) return '';
  const { topic, checks, cases } = common.columns;
  const verdicts = verdictLooks.map(({ sign, words }) => `${sign} ${words[language]}`);
  const heads = [topic, ...verdicts, checks, cases];
  const total = (summary: TopicSummary): string => common.totals.get(summary.topic) ?? summary.topic;
  return [
    `| ${heads.join(' | ')} |`,
    `| :-- |${' --: |'.repeat(heads.length - 1)}`,
    ...topics.map((summary) => row(code(summary.topic), summary, language)),
    ...totals.map((summary) => row(total(summary), summary, language)),
  ].join('\n');
}

function row(name: string, summary: TopicSummary, language: Language): string {
  const numbers = [...verdictLooks.map((look) => summary.counts[look.count]), summary.checks, summary.cases];
  return `| ${name} | ${numbers.map((number) => (number === 0 ? '' : figure(number, language))).join(' | ')} |`;
}

function failures(name: 'failures' | 'stale' | 'warnings' | 'known', model: ReportModel, words: Words): MarkdownList {
  const items = model.groups[name].clauses.map((clause) => ({ text: folded(clause, words), clauses: 1 }));
  return { title: groups[name].title[words.language], items, most: mostFailures, frame: (shown) => shown };
}

/** A clause that folds open to its failed checks. All on one line, since an empty line would end the HTML. */
function folded(clause: ClauseResult, { language, say, common }: Words): string {
  const lines = (check: CheckResult): string => failureLines(clause, check, { language, say }).join('\n');
  const checks = failedChecks(clause).map((check) => `<pre>${inline(lines(check))}</pre>`);
  const reason = clause.reason === undefined ? '' : `<p>${common.reason}: ${inline(say(clause.reason))}</p>`;
  const level = levelPhrases[clause.level][language];
  const head = `${code(clause.id)} (${inline(clause.section)}, ${level}) ${statementText(say(clause.statement))}`;
  return `<details><summary>${head}</summary>${reason}${checks.join('')}</details>`;
}

function unjudged(
  name: 'not-exercised' | 'blocked' | 'withheld',
  model: ReportModel,
  { language, say, own }: Words,
): MarkdownList {
  const { clauses, reasons } = model.groups[name];
  const items = reasons.map((group) => ({ text: reasonItem(group, say), clauses: group.clauses.length }));
  const summary = `<summary>${clausesText(clauses, language)} ${own.open[name](clauses.length)}</summary>`;
  const frame = (shown: string): string => `<details>${summary}${shown}</details>`;
  return { title: groups[name].title[language], items, most: items.length, frame };
}

function reasonItem({ reason, clauses }: ReasonGroup, say: Speech['say']): string {
  return `<p>${inline(say(reason))}</p><ul>${clauses.map((clause) => `<li>${code(clause.id)}</li>`).join('')}</ul>`;
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

/** A list under a heading, of which a summary shows as many items as it has room for. */
interface MarkdownList {
  readonly title: string;
  /** Each with the clauses that it tells of. */
  readonly items: readonly { readonly text: string; readonly clauses: number }[];
  /** Items that are shown at most. */
  readonly most: number;
  /** What stands around the items that are shown. */
  readonly frame: (items: string) => string;
}

/** Bytes for a heading, a frame, and the sentence on what is left out. */
const frameBytes = 500;

/**
 * The blocks of lists, the first of them with room first, in no more than so many bytes; of a list without items none. `moreText`
 * tells how many clauses a list leaves out.
 */
function listsWithin(lists: readonly MarkdownList[], bytes: number, moreText: (clauses: number) => string): string[] {
  const told = lists.filter(({ items }) => items.length > 0);
  let left = bytes - told.length * frameBytes;
  return told.flatMap(({ title, items, most, frame }) => {
    const shown = textsWithin(items.slice(0, most), left);
    left -= bytesOf(shown);
    const more = items.slice(shown.length).reduce((sum, { clauses }) => sum + clauses, 0);
    return [`### ${title}`, shown.length === 0 ? '' : frame(shown.join('\n')), more === 0 ? '' : moreText(more)];
  });
}

function textsWithin(items: MarkdownList['items'], bytes: number): string[] {
  const texts = items.map(({ text }) => text);
  let left = bytes;
  const first = texts.findIndex((text) => {
    left -= bytesOf([text]);
    return left < 0;
  });
  return first < 0 ? texts : texts.slice(0, first);
}

/** Bytes of texts, each with a line end. */
function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
}
