import { styleText } from 'node:util';
import type { ClauseResult, Results, CheckResult, ExchangeEvidence } from '../schemas/results.ts';
import { changesSince, judgementsOf, type Earlier, brokenEndpoints } from './changes.ts';
import { figure, utc, inEnglish, type Language, type Speech } from './language.ts';
import { findingLine } from './findings/statement.ts';
import { findingsIn } from './findings/since.ts';
import { byReason, clausesText, isStale, clausesOf, judgedNothing } from './verdicts.ts';
import { sureSentences } from './how-sure.ts';
import { leftLine } from './left-behind.ts';
import { levelSentence } from './levels.ts';
import { bareVerdictSentence, saidResults } from './sentence.ts';
import { shortened, visible } from './visible.ts';
import { summaryWords, type SummaryWords, type Label } from './summary-words.ts';
import { decisiveExchange, requestHeader } from './evidence.ts';

/** So that a summary is read to its end: findings and reasons that it tells, ids in a line, and characters of a text. */
const most = { findings: 20, reasons: 5, ids: 8, text: 200, reason: 80 };

/** How a summary is told. */
interface Telling extends Speech {
  readonly words: SummaryWords;
}

/**
 * The summary of a run for people, of 40 lines at most: what was tested and when, the verdict, a line for each cause of what does not
 * hold, what could not be told, and what holds again since the earlier run.
 */
export function summaryLines(
  results: Results,
  options: { readonly colour: boolean; readonly earlier?: Earlier | undefined },
  speech: Speech = inEnglish,
): string[] {
  const { language, say } = speech;
  const telling = { ...speech, words: summaryWords[language] };
  const paint = (colour: 'red' | 'yellow' | 'green', text: string): string =>
    options.colour ? styleText(colour, text, { validateStream: false }) : text;
  const sentence = paint(verdictColour(results), visible(bareVerdictSentence(saidResults(results, say), language)));
  if (judgedNothing(results)) return [sentence];
  const blocks = [
    [headLine(results), sentence, ...reachLines(results, language)],
    findingLines(results, telling).map((line) => paint('red', line)),
    [
      ...listed(telling.words.kinds.stale, results.clauses.filter(isStale), telling),
      ...listed(telling.words.kinds.known, clausesOf(results, 'known'), telling),
      ...flakyLines(results.clauses, telling),
      ...unjudgedLines(telling.words.kinds.notExercised, clausesOf(results, 'not-exercised'), telling),
      ...unjudgedLines(telling.words.kinds.withheld, clausesOf(results, 'withheld'), telling),
      ...[leftLine(results, language)].filter((line) => line !== undefined),
      ...fixedLines(results, options.earlier, telling),
    ],
  ];
  const texts = blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
  return texts.join('\n\n').split('\n');
}

/** When the run began, and what it was made against. */
function headLine({ startedAt, target }: Results): string {
  const build = target.implementation === undefined ? '' : `, ${target.implementation}`;
  return visible(`${utc(startedAt)}  ${target.kind} ${target.baseUrl}${shortened(build, most.text)}`);
}

function findingLines(results: Results, { words, ...speech }: Telling): string[] {
  const findings = findingsIn(results);
  const told = findings.slice(0, most.findings).map((finding) => visible(findingLine(finding, results, speech)));
  const left = findings.length - told.length;
  return left === 0 ? told : [...told, words.moreFindings(figure(left, speech.language))];
}

function listed(kind: string, clauses: readonly ClauseResult[], { words, language }: Telling): string[] {
  if (clauses.length === 0) return [];
  const named = clauses.map(({ id, verdict, reason }) =>
    reason === undefined || verdict === 'passed' ? id : `${id} (${shortened(reason, most.reason)})`,
  );
  return [`${kind}: ${idsText(named, words, language)}`];
}

function idsText(ids: readonly string[], words: SummaryWords, language: Language): string {
  const told = ids
    .slice(0, most.ids)
    .map((id) => visible(id))
    .join(', ');
  return ids.length <= most.ids ? told : `${told} ${words.andMore(figure(ids.length - most.ids, language))}`;
}

function flakyLines(clauses: readonly ClauseResult[], telling: Telling): string[] {
  const isFlaky = ({ checks }: ClauseResult): boolean =>
    checks.some((check) => check.flaky !== undefined && check.state !== 'failed');
  return listed(telling.words.flaky, clauses.filter(isFlaky), telling);
}

function unjudgedLines(what: string, clauses: readonly ClauseResult[], { words, language, say }: Telling): string[] {
  if (clauses.length === 0) return [];
  const groups = byReason(clauses);
  const told = groups.slice(0, most.reasons).map(({ reason, clauses: own }) => {
    return `  ${figure(own.length, language)}  ${say(visible(shortened(reason, most.text)))}`;
  });
  const left = groups.slice(most.reasons).reduce((sum, { clauses: own }) => sum + own.length, 0);
  const more = left === 0 ? [] : [`  ${figure(left, language)}  ${words.otherReasons}`];
  return [`${what}: ${clausesText(clauses, language)}`, ...told, ...more];
}

function fixedLines(results: Results, earlier: Earlier | undefined, { words, language }: Telling): string[] {
  if (earlier === undefined) return [];
  const { fixed } = changesSince(earlier, judgementsOf(results));
  if (fixed.length === 0) return [];
  return [`${words.fixedSince(utc(earlier.startedAt))}: ${idsText(fixed, words, language)}`];
}

function reachLines(results: Results, language: Language): string[] {
  const { level } = results;
  return [...(level === undefined ? [] : [levelSentence(level, language)]), ...sureSentences(results, language)];
}

function verdictColour(results: Results): 'green' | 'yellow' | 'red' {
  if (results.verdict === 'conformant') return 'green';
  return results.verdict === 'incomplete' ? 'yellow' : 'red';
}

const longestValue = 400;
const longestTitle = 200;
const mostValueLines = 20;

/** A failed check as a reader meets it: what was expected above what came, the request, and how to repeat it. */
export function failureLines(clause: ClauseResult, check: CheckResult, language: Language = 'en'): string[] {
  const { error } = check;
  const exchange = decisiveExchange(check);
  const words = summaryWords[language];
  return [
    failureHead(clause, error?.title ?? check.name),
    ...labelled('expected', error?.expected, words),
    ...labelled('actual', error?.actual, words),
    ...labelled('request', exchange && requestSummary(exchange, words), words),
    ...labelled('failsOn', onLines(brokenEndpoints(check)), words),
    ...labelled('case', check.counterexample, words),
    ...labelled('hint', error?.hint, words),
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
  const lines = shortened(value, longestValue).split(/\r?\n/);
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
