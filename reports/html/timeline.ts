import { calledEndpoint, methodAndPath } from '../../contract/endpoints.ts';
import type { CheckResult, ExchangeEvidence } from '../../schemas/results.ts';
import { ending } from '../evidence.ts';
import { duration, figure } from '../language.ts';
import { shortened } from '../visible.ts';
import { placeInTime } from './evidence-plan.ts';
import { markup, type Markup } from './markup.ts';
import { said, saidBy } from './words.ts';

/** A request of a history: milliseconds from the first of those that were under way at once. */
interface TimelineRow {
  /** Which exchange of its check it is, as in the list of these. */
  readonly number: number;
  readonly label: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** The failure is about its answer. */
  readonly isAccused: boolean;
}

/** Rows that are drawn: the last ones. */
const mostRows = 12;
const longestLabel = 90;

/**
 * Requests of a failure that were under way at once, drawn: a row each, from when it was sent until it was answered. Of what is seen in
 * passing also what came before, at the edge. Nothing where they were sent one after another.
 */
export function timelineOf(check: CheckResult): Markup | undefined {
  const rows = rowsOf(check);
  if (rows.length < 2) return undefined;
  const endMs = Math.max(...rows.map(({ toMs }) => toMs));
  return markup`<figure class="timeline">
<figcaption>${said('Under way at once, from when each was sent until it was answered', 'Em andamento ao mesmo tempo, de cada envio até a resposta')}: ${saidBy((language) => duration(endMs, language))}</figcaption>
<svg viewBox="0 0 ${width} ${rows.length * rowHeight}" width="${width}" style="max-width:100%;height:auto" aria-hidden="true">${rows.map((row, at) => drawn(row, at, endMs))}</svg>
<ol class="unseen">${rows.map(heard)}</ol>
</figure>
`;
}

function rowsOf({ exchanges = [], inPassing, together }: CheckResult): TimelineRow[] {
  const shown = inPassing ? exchanges.slice(-(together ?? 1)) : exchanges;
  const own = shown.filter(({ received }) => !received);
  const accused = own.at(-1);
  const timed = own.flatMap((exchange) =>
    exchange.at === undefined ? [] : [{ exchange, ...spanOf(exchange, exchange.at) }],
  );
  const atOnce = timed.filter((one) => timed.some((other) => other !== one && isOverlapping(one, other)));
  if (atOnce.length === 0) return [];
  const startMs = startOf(atOnce);
  return timed
    .filter(({ toMs }) => inPassing || toMs >= startMs)
    .toSorted((one, other) => one.fromMs - other.fromMs)
    .slice(-mostRows)
    .map(({ exchange, fromMs, toMs }) => ({
      number: placeInTime(exchanges, exchanges.indexOf(exchange)),
      label: labelOf(exchange),
      fromMs: fromMs - startMs,
      toMs: toMs - startMs,
      isAccused: exchange === accused,
    }));
}

type Span = Pick<TimelineRow, 'fromMs' | 'toMs'>;

function spanOf({ durationMs }: ExchangeEvidence, fromMs: number): Span {
  return { fromMs, toMs: fromMs + durationMs };
}

function isOverlapping(one: Span, other: Span): boolean {
  return one.fromMs < other.toMs && other.fromMs < one.toMs;
}

/** When the first of those began that were under way with the last one, or with one that was. */
function startOf(spans: readonly Span[]): number {
  const lastFirst = spans.toSorted((one, other) => other.toMs - one.toMs);
  return lastFirst.reduce(
    (startMs, { fromMs, toMs }) => (toMs > startMs ? Math.min(startMs, fromMs) : startMs),
    lastFirst[0]?.fromMs ?? 0,
  );
}

/** A request and what it came to: "POST /x → 200", with the state of an invoice that the answer tells. */
function labelOf(exchange: ExchangeEvidence): string {
  const { method, target } = exchange.request;
  const endpoint = calledEndpoint(method, target);
  const state = /"status":\s?"([^"]{1,30})"/.exec(exchange.response?.body.text ?? '')?.[1];
  const asked = endpoint ? methodAndPath(endpoint) : `${method} ${target}`;
  return shortened(`${asked} → ${ending(exchange)}${state === undefined ? '' : ` ${state}`}`, longestLabel);
}

const width = 640;
const rowHeight = 36;
const barHeight = 10;

function drawn({ number, label, fromMs, toMs, isAccused }: TimelineRow, at: number, endMs: number): Markup {
  const top = at * rowHeight;
  const colour = isAccused ? 'var(--failed)' : 'var(--soft)';
  const [left, right] = [fromMs, toMs].map((ms) => Math.round((Math.max(0, ms) / endMs) * width));
  // What came before all this is a stroke at the edge.
  const length = Math.max(3, (right ?? 0) - (left ?? 0));
  return markup`
<text x="0" y="${top + 14}" font-size="12" style="fill:${isAccused ? colour : 'var(--text)'}">${isAccused ? '✗ ' : undefined}${number}. ${label}</text>
<rect x="${left}" y="${top + 20}" width="${length}" height="${barHeight}" rx="2" style="fill:${colour}"/>`;
}

function heard({ number, label, fromMs, toMs, isAccused }: TimelineRow): Markup {
  const sentence = saidBy((language) => {
    const [from, to] = [fromMs, toMs].map((ms) => figure(Math.round(ms), language));
    return language === 'en'
      ? `sent at ${from} ms, answered at ${to} ms`
      : `enviada em ${from} ms, respondida em ${to} ms`;
  });
  return markup`<li value="${number}">${label}: ${sentence}${isAccused ? markup` (${said('this answer is accused', 'esta resposta é a acusada')})` : undefined}</li>
`;
}
