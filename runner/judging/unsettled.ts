import { calledEndpoint } from '../../contract/endpoints.ts';
import { nfeStates, type NfeState } from '../../contract/values.ts';
import { contentOf } from '../../judge/answers.ts';
import { member } from '../../schemas/values.ts';
import type { Results } from '../../schemas/results.ts';
import { jsonIn } from '../../trace/exchange.ts';
import type { CallLine, RecordLine } from '../../trace/lines.ts';

/** Invoices whose outcome never came, where others had theirs soon. */
type Unsettled = NonNullable<Results['unsettled']>;

/** What is known of one invoice, in milliseconds since its issuance was answered. */
interface Waiting {
  /** When it was first seen to have settled. */
  readonly settledMs?: number;
  /** When it was last seen to have not. */
  readonly waitedMs?: number;
}

/** Fewer that settled say little of how long the others may take. */
const fewestSettled = 5;

/** What waited so many times as long as the slowest that settled, and so many milliseconds, is no slow one. */
const [timesAsLong, longMs] = [5, 5_000];

/**
 * The invoices of a run that were waiting for the tax authority when they were last asked for, though all others had settled long before
 * such a time; `undefined` where there are none. Where a control API moves clocks, times say nothing.
 */
export function unsettledIn(lines: readonly RecordLine[]): Unsettled | undefined {
  const calls = lines.flatMap((line) => (line.kind === 'exchange' && line.ids.nfeId !== undefined ? [line] : []));
  // Each thread tells of its own time.
  const inTurn = calls.toSorted((one, other) => one.at - other.at);
  const invoices = [...Map.groupBy(inTurn, ({ ids }) => `${ids.empresaId} ${ids.nfeId}`).values()].map(waitingOf);
  const settled = invoices.flatMap(({ settledMs }) => settledMs ?? []);
  const slowestMs = Math.max(...settled);
  const waited = invoices
    .flatMap(({ settledMs, waitedMs }) => (settledMs === undefined ? (waitedMs ?? []) : []))
    .filter((ms) => ms >= Math.max(longMs, timesAsLong * slowestMs));
  if (settled.length < fewestSettled || waited.length === 0) return undefined;
  return {
    invoices: waited.length,
    of: settled.length + waited.length,
    waitedMs: Math.round(Math.max(...waited)),
    slowestMs: Math.round(slowestMs),
  };
}

function waitingOf(calls: readonly CallLine[]): Waiting {
  const issuance = calls.find((call) => isAnswered(call, 'nfe-issuance'));
  if (!issuance) return {};
  const since = endOf(issuance);
  const seen = calls.filter((call) => isAnswered(call, 'nfe-query')).map((call) => ({ call, status: statusIn(call) }));
  const settled = seen.find(({ status }) => status !== undefined && status !== 'AguardandoAutorizacao');
  if (settled) return { settledMs: endOf(settled.call) - since };
  const waiting = seen.findLast(({ status }) => status !== undefined);
  return waiting ? { waitedMs: waiting.call.at - since } : {};
}

function isAnswered({ evidence: { request, response } }: CallLine, name: 'nfe-issuance' | 'nfe-query'): boolean {
  const called = calledEndpoint(request.method, request.target);
  return response?.status === 200 && called !== undefined && 'name' in called && called.name === name;
}

function endOf({ at, evidence }: CallLine): number {
  return at + evidence.durationMs;
}

function statusIn({ evidence: { response } }: CallLine): NfeState | undefined {
  const status = member(contentOf(jsonIn(response?.body.text ?? '')), 'status');
  return nfeStates.find((known) => known === status);
}
