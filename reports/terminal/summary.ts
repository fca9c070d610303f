import { styleText } from 'node:util';
import type { CheckResult, ClauseResult, ExchangeEvidence, Results } from '../../schemas/results.ts';
import { brokenEndpoints } from '../breakage.ts';
import { decisiveExchange, failedChecks, requestHeader } from '../evidence.ts';
import { byReason, type ReasonGroup } from '../grouping.ts';
import { levelPhrases } from '../clause-level.ts';
import { inEnglish, type Language, type Speech } from '../language.ts';
import { clausesText } from '../must.ts';
import { levelSentence } from '../level-sentence.ts';
import { bareVerdictSentence, saidResults } from '../sentence.ts';
import { leftLine } from '../left-behind.ts';
import { topicTable, type Paint } from './table.ts';
import { summaryWords, type Label, type SummaryWords } from './words.ts';
import { clausesOf } from '../verdicts.ts';
import { shortened, visible } from '../visible.ts';

const longestValue = 400;
const longestTitle = 200;
const mostValueLines = 20;

/** How a summary is told. */
interface Telling {
  readonly paint: Paint;
  readonly language: Language;
  readonly say: Speech['say'];
  readonly words: SummaryWords;
}

/** The summary of a run, line by line: table by topic, failures, warnings, what was not exercised or withheld, the verdict last. */
export function summaryLines(results: Results, options: { colour: boolean }, speech: Speech = inEnglish): string[] {
  const { language, say } = speech;
  const paint: Paint = (colour, text) => (options.colour ? styleText(colour, text, { validateStream: false }) : text);
  const words = summaryWords[language];
  const telling = { paint, language, say, words };
  const blocks = [
    topicTable(results, paint, language),
    ...clausesOf(results, 'failed').flatMap((clause) => failureBlocks(clause, telling)),
    ...clausesOf(results, 'warned').flatMap((clause) => warningBlocks(clause, telling)),
    knownLines(clausesOf(results, 'known'), telling),
    flakyLines(results.clauses, telling),
    unjudgedLines(words.kinds.notExercised, clausesOf(results, 'not-exercised'), telling),
    unjudgedLines(words.kinds.withheld, clausesOf(results, 'withheld'), telling),
    [leftLine(results, language)].filter((line) => line !== undefined),
    [
      paint(verdictColour(results), visible(bareVerdictSentence(saidResults(results, say), language))),
      ...reachLines(results, language),
    ],
  ];
  const texts = blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
  return texts.join('\n\n').split('\n');
}

/** A failed check as a reader meets it: what was expected above what came, the request, and how to repeat it. */
export function failureLines(clause: ClauseResult, check: CheckResult, language: Language = 'en'): string[] {
  const { error } = check;
  const exchange = decisiveExchange(check);
  const words = summaryWords[language];
  return [
    headLine(clause, error?.title ?? check.name),
    ...labelled('expected', error?.expected, words),
    ...labelled('actual', error?.actual, words),
    ...labelled('request', exchange && requestSummary(exchange, words), words),
    ...labelled('failsOn', listed(brokenEndpoints(check)), words),
    ...labelled('case', check.counterexample, words),
    ...labelled('hint', error?.hint, words),
    ...labelled('flaky', check.flaky?.join(', '), words),
    ...labelled('repeat', check.replay, words),
  ];
}

function listed(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** What the list of known deviations covers of a clause is not what fails it. */
function failureBlocks(clause: ClauseResult, { paint, language, words }: Telling): string[][] {
  const checks = failedChecks(clause).filter(({ covered }) => !covered);
  const reason = labelled('reason', clause.reason, words);
  if (checks.length > 0)
    return checks.map((check) => headed([...failureLines(clause, check, language), ...reason], 'red', paint));
  return [headed([headLine(clause, clause.statement), ...reason], 'red', paint)];
}

function warningBlocks(clause: ClauseResult, telling: Telling): string[][] {
  return failedChecks(clause).map((check) => headed(warningLines(clause, check, telling), 'yellow', telling.paint));
}

function warningLines(clause: ClauseResult, check: CheckResult, { language, words }: Telling): string[] {
  return [
    `${headLine(clause, check.error?.title ?? check.name)}  [${levelPhrases[clause.level][language]}, ${words.warned}]`,
    ...labelled('expected', check.error?.expected, words),
    ...labelled('actual', check.error?.actual, words),
    ...labelled('repeat', check.replay, words),
  ];
}

function headed([head = '', ...rest]: readonly string[], colour: 'red' | 'yellow', paint: Paint): string[] {
  return [paint(colour, head), ...rest];
}

function knownLines(clauses: readonly ClauseResult[], { paint, words }: Telling): string[] {
  if (clauses.length === 0) return [];
  return [
    paint('bold', words.kinds.known),
    ...clauses.map((clause) => `  ${visible(clause.id)}  ${oneLine(clause.reason)}`),
  ];
}

function flakyLines(clauses: readonly ClauseResult[], { paint, words }: Telling): string[] {
  const lines = clauses.flatMap((clause) =>
    clause.checks
      .filter((check) => check.flaky !== undefined && check.state !== 'failed')
      .map((check) => `  ${visible(clause.id)}  ${oneLine(check.name)}: ${oneLine(check.flaky?.join(', '))}`),
  );
  return lines.length === 0 ? [] : [paint('bold', words.flaky), ...lines];
}

function unjudgedLines(what: string, clauses: readonly ClauseResult[], telling: Telling): string[] {
  if (clauses.length === 0) return [];
  const title = `${what}: ${clausesText(clauses, telling.language)}`;
  return [telling.paint('bold', title), ...byReason(clauses).flatMap((group) => reasonLines(group, telling))];
}

function reasonLines({ reason, clauses }: ReasonGroup, { paint, language, say }: Telling): string[] {
  const ids = clauses.map(
    ({ id, level }) => `    ${visible(id)}${level === 'must' ? '' : `  [${levelPhrases[level][language]}]`}`,
  );
  return [`  ${say(oneLine(reason))}`, ...ids.map((id) => paint('dim', id))];
}

function headLine(clause: ClauseResult, title: string): string {
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

function oneLine(text = ''): string {
  return visible(shortened(text, longestValue));
}

function reachLines({ level }: Results, language: Language): string[] {
  return level === undefined ? [] : [levelSentence(level, language)];
}

function verdictColour(results: Results): 'green' | 'yellow' | 'red' {
  if (results.verdict === 'conformant') return 'green';
  return results.verdict === 'incomplete' ? 'yellow' : 'red';
}
