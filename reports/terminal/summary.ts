import { styleText } from 'node:util';
import type { CheckResult, ClauseResult, ExchangeEvidence, Results } from '../../schemas/results.ts';
import { brokenEndpoints } from '../breakage.ts';
import { decisiveExchange, failedChecks, requestHeader } from '../evidence.ts';
import { byReason, type ReasonGroup } from '../grouping.ts';
import { clausesText } from '../must.ts';
import { levelSentence } from '../level-sentence.ts';
import { bareVerdictSentence } from '../sentence.ts';
import { leftLine } from '../left-behind.ts';
import { topicTable, type Paint } from './table.ts';
import { clausesOf } from '../verdicts.ts';
import { shortened, visible } from '../visible.ts';

const longestValue = 400;
const longestTitle = 200;
const mostValueLines = 20;
const labelWidth = 10;

/** The summary of a run, line by line: table by topic, failures, warnings, what was not exercised or withheld, the verdict last. */
export function summaryLines(results: Results, options: { colour: boolean }): string[] {
  const paint: Paint = (colour, text) => (options.colour ? styleText(colour, text, { validateStream: false }) : text);
  const blocks = [
    topicTable(results, paint),
    ...clausesOf(results, 'failed').flatMap((clause) => failureBlocks(clause, paint)),
    ...clausesOf(results, 'warned').flatMap((clause) => warningBlocks(clause, paint)),
    knownLines(clausesOf(results, 'known'), paint),
    flakyLines(results.clauses, paint),
    unjudgedLines('Not exercised', clausesOf(results, 'not-exercised'), paint),
    unjudgedLines('Withheld', clausesOf(results, 'withheld'), paint),
    [leftLine(results)].filter((line) => line !== undefined),
    [paint(verdictColour(results), visible(bareVerdictSentence(results, 'en'))), ...reachLines(results)],
  ];
  const texts = blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
  return texts.join('\n\n').split('\n');
}

/** A failed check as a reader meets it: what was expected above what came, the request, and how to repeat it. */
export function failureLines(clause: ClauseResult, check: CheckResult): string[] {
  const { error } = check;
  const exchange = decisiveExchange(check);
  return [
    headLine(clause, error?.title ?? check.name),
    ...labelled('expected', error?.expected),
    ...labelled('actual', error?.actual),
    ...labelled('request', exchange && requestSummary(exchange)),
    ...labelled('fails on', listed(brokenEndpoints(check))),
    ...labelled('case', check.counterexample),
    ...labelled('hint', error?.hint),
    ...labelled('flaky', check.flaky?.join(', ')),
    ...labelled('repeat', check.replay),
  ];
}

function listed(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** What the list of known deviations covers of a clause is not what fails it. */
function failureBlocks(clause: ClauseResult, paint: Paint): string[][] {
  const checks = failedChecks(clause).filter(({ covered }) => !covered);
  const reason = labelled('reason', clause.reason);
  if (checks.length > 0)
    return checks.map((check) => headed([...failureLines(clause, check), ...reason], 'red', paint));
  return [headed([headLine(clause, clause.statement), ...reason], 'red', paint)];
}

function warningBlocks(clause: ClauseResult, paint: Paint): string[][] {
  return failedChecks(clause).map((check) => headed(warningLines(clause, check), 'yellow', paint));
}

function warningLines(clause: ClauseResult, check: CheckResult): string[] {
  return [
    `${headLine(clause, check.error?.title ?? check.name)}  [${clause.level}, warned]`,
    ...labelled('expected', check.error?.expected),
    ...labelled('actual', check.error?.actual),
    ...labelled('repeat', check.replay),
  ];
}

function headed([head = '', ...rest]: readonly string[], colour: 'red' | 'yellow', paint: Paint): string[] {
  return [paint(colour, head), ...rest];
}

function knownLines(clauses: readonly ClauseResult[], paint: Paint): string[] {
  if (clauses.length === 0) return [];
  return [
    paint('bold', 'Known deviations'),
    ...clauses.map((clause) => `  ${visible(clause.id)}  ${oneLine(clause.reason)}`),
  ];
}

function flakyLines(clauses: readonly ClauseResult[], paint: Paint): string[] {
  const lines = clauses.flatMap((clause) =>
    clause.checks
      .filter((check) => check.flaky !== undefined && check.state !== 'failed')
      .map((check) => `  ${visible(clause.id)}  ${oneLine(check.name)}: ${oneLine(check.flaky?.join(', '))}`),
  );
  return lines.length === 0 ? [] : [paint('bold', 'Flaky'), ...lines];
}

function unjudgedLines(what: string, clauses: readonly ClauseResult[], paint: Paint): string[] {
  if (clauses.length === 0) return [];
  const title = `${what}: ${clausesText(clauses)}`;
  return [paint('bold', title), ...byReason(clauses).flatMap((group) => reasonLines(group, paint))];
}

function reasonLines({ reason, clauses }: ReasonGroup, paint: Paint): string[] {
  const ids = clauses.map(
    (clause) => `    ${visible(clause.id)}${clause.level === 'must' ? '' : `  [${clause.level}]`}`,
  );
  return [`  ${oneLine(reason)}`, ...ids.map((id) => paint('dim', id))];
}

function headLine(clause: ClauseResult, title: string): string {
  return visible(`${clause.id}  (${clause.section})  ${shortened(title, longestTitle)}`);
}

/** A value behind its label, its further lines below its first; nothing where there is no value. */
function labelled(label: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  const lines = shortened(value, longestValue).split(/\r?\n/);
  const shown =
    lines.length > mostValueLines ? [...lines.slice(0, mostValueLines), `… (${lines.length} lines)`] : lines;
  const [first = '', ...rest] = shown.map((line) => visible(line));
  return [
    `  ${label.padEnd(labelWidth - 1)} ${first}`,
    ...rest.map((line) => (' '.repeat(labelWidth + 2) + line).trimEnd()),
  ];
}

/** Request line, token and the start of sign, or of a delivery its event: enough to recognise a request by. */
function requestSummary(exchange: ExchangeEvidence): string {
  const { method, target, headers } = exchange.request;
  if (exchange.received) {
    const event = headers.find(([name]) => /-event$/i.test(name ?? ''))?.[1] ?? '(none)';
    return visible(`received: ${method} ${target}   event=${event}`);
  }
  const sign = requestHeader(exchange, 'sign');
  const token = requestHeader(exchange, 'token') ?? '(none)';
  const shortSign = sign === undefined ? '(none)' : sign.length > 8 ? `${sign.slice(0, 4)}…` : sign;
  return visible(`${method} ${target}   token=${token}  sign=${shortSign}`);
}

function oneLine(text = ''): string {
  return visible(shortened(text, longestValue));
}

function reachLines({ level }: Results): string[] {
  return level === undefined ? [] : [levelSentence(level)];
}

function verdictColour(results: Results): 'green' | 'yellow' | 'red' {
  if (results.verdict === 'conformant') return 'green';
  return results.verdict === 'incomplete' ? 'yellow' : 'red';
}
