import type { CheckResult, ClauseResult, ExchangeEvidence } from '../schemas/results.ts';
import { brokenEndpoints } from './changes.ts';
import { decisiveExchange, requestHeader } from './evidence.ts';
import { inEnglish, type Speech } from './language.ts';
import { summaryWords, type Label, type SummaryWords } from './summary-words.ts';
import { shortened, visible } from './visible.ts';

const longestValue = 400;
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
