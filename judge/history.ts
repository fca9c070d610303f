import type { EndpointName } from '../contract/endpoints.ts';
import { member } from '../schemas/values.ts';
import type { ExchangeRecord, SteeringRecord, TraceRecord } from '../trace/records.ts';
import { contentOf, isAcceptedBy, isFor, isObject } from './answers.ts';
import { idsOf } from './things.ts';

/** Epoch milliseconds from which a record is under way, and at which it is complete. */
export function spanOf(record: TraceRecord): { readonly fromMs: number; readonly toMs: number } {
  if (record.kind === 'awaited') return { fromMs: record.atMs, toMs: record.atMs };
  if (record.kind === 'delivery') return { fromMs: record.arrivedAtMs, toMs: record.arrivedAtMs };
  const fromMs = record.kind === 'steering' ? record.atMs : record.sentAtMs;
  // A clock that tells whole milliseconds tells each beginning up to one too early.
  return { fromMs, toMs: fromMs + Math.floor(record.durationMs) };
}

/** The records that were complete when another one began: of those that overlap with it nobody knows which was first. */
export function before(latest: TraceRecord, earlier: readonly TraceRecord[]): readonly TraceRecord[] {
  const { fromMs } = spanOf(latest);
  return earlier.filter((record) => spanOf(record).toMs <= fromMs);
}

/** Narrows to the requests for an endpoint that were signed as they are to be. */
export function isCall(record: TraceRecord, ...names: readonly EndpointName[]): record is ExchangeRecord {
  return record.kind === 'exchange' && record.isRightlySigned && names.some((name) => isFor(record, name));
}

/** Whether two requests came from one application. */
export function isOfCallerOf(one: ExchangeRecord, other: ExchangeRecord): boolean {
  return one.caller !== undefined && one.caller.name === other.caller?.name;
}

/** Whether two records name one invoice. */
export function isOfInvoiceOf(record: TraceRecord, another: TraceRecord): boolean {
  const [one, other] = [idsOf(record), idsOf(another)];
  return one.nfeId !== undefined && one.nfeId === other.nfeId && one.empresaId === other.empresaId;
}

/** Whether a record is an issuance that was accepted. */
export function isIssued(record: TraceRecord): record is ExchangeRecord {
  return isCall(record, 'nfe-issuance') && isAcceptedBy(record, 'nfe-issuance');
}

/** Whether a query has found an invoice. */
export function isFound(record: TraceRecord): record is ExchangeRecord {
  return isCall(record, 'nfe-query') && isAcceptedBy(record, 'nfe-query') && isObject(contentOf(record.json));
}

/** The state that a query told of an invoice. */
export function stateIn(record: TraceRecord): unknown {
  return isFound(record) ? member(contentOf(record.json), 'status') : undefined;
}

/** Narrows to what was done to a target by such a call of the control API. */
export function isSteering(record: TraceRecord, method: string, path: RegExp): record is SteeringRecord {
  return record.kind === 'steering' && record.status <= 299 && record.method === method && path.test(record.path);
}

const clockPath = /^\/applications\/[^/]+\/clock$/;

/** Whether a record moves the clock of its application. */
export function isAdvance(record: TraceRecord): record is SteeringRecord {
  return isSteering(record, 'POST', clockPath);
}

/** Unix seconds at which the clock stands that an application was made with; `undefined` where it has none of its own. */
export function clockAfter(records: readonly TraceRecord[]): number | undefined {
  const made = records.find((record) => isSteering(record, 'POST', /^\/applications$/));
  const start = member(made?.kind === 'steering' ? made.json : undefined, 'clock');
  if (typeof start !== 'string') return undefined;
  const steps = records.filter(isAdvance).map(({ json }) => Number(member(json, 'advanceSeconds')));
  return steps.reduce((now, step) => now + step, Date.parse(start) / 1000);
}
