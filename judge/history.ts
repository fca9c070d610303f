import type { Ids } from '../trace/ids.ts';
import type { TraceRecord, ExchangeRecord, SteeringRecord } from '../trace/records.ts';
import type { EndpointName } from '../contract/endpoints.ts';
import { member, isObject } from '../schemas/values.ts';
import { codeOf, contentOf, isAcceptedBy, isFor, isPlatformCode } from './answers.ts';

/** Names under which a record belongs to the histories of things of one kind. */
type Naming = (record: TraceRecord) => readonly (string | undefined)[];

/** The things that a trace tells of over time. */
const namings = {
  /** One event of a channel, over addresses and retries. */
  event: (record) => [record.kind === 'delivery' ? record.ids.eventId : undefined],
  /** What was delivered, byte by byte. */
  content: (record) => [record.kind === 'delivery' ? record.ids.content : undefined],
  /** One invoice of a company, from its issuance on, with the callbacks that tell of it. */
  invoice: (record) => {
    const { empresaId, nfeId } = idsOf(record);
    return [empresaId === undefined || nfeId === undefined ? undefined : `${empresaId} ${nfeId}`];
  },
  company: (record) => [idsOf(record).empresaId],
  /** One invoice at the tax authority. */
  chave: (record) => [idsOf(record).chave],
  link: (record) => idsOf(record).links ?? [],
  /** An address of ours, with what came there. */
  address: (record) => [record.kind === 'delivery' ? record.address?.name : undefined],
  /** What is refused for one reason, by whomever. */
  refusal: (record) => [record.kind === 'exchange' ? refusalOf(record) : undefined],
  /** The whole service, by all that it was asked for. */
  service: (record) => [record.kind === 'exchange' || record.kind === 'lost' ? 'service' : undefined],
  /** An application, with all that it sent and got and what was done to it. */
  application: (record) => [applicationOf(record)],
} as const satisfies Record<string, Naming>;

export type Thing = keyof typeof namings;

/** Names the things of a kind that a record tells of, record by record: a link is followed by the application that it was given to. */
export function openThings(): (kind: Thing, record: TraceRecord) => readonly string[] {
  const givenTo = new Map<string, string>();
  return (kind, record) => {
    const naming: Naming = namings[kind];
    const names = naming(record).filter((name) => name !== undefined);
    if (kind !== 'application') return names;
    const { links = [] } = idsOf(record);
    if (record.kind === 'link') return links.flatMap((link) => givenTo.get(link) ?? []);
    for (const link of links) for (const name of names) givenTo.set(link, name);
    return names;
  };
}

const isThing = (name: string): name is Thing => name in namings;

/** The kinds of things whose history can be followed. */
export const kindsOfThings: readonly Thing[] = Object.keys(namings).filter(isThing);

/** What a record names. */
export function idsOf(record: TraceRecord): Ids {
  return record.kind === 'awaited' || record.kind === 'lost' ? {} : record.ids;
}

function applicationOf(record: TraceRecord): string | undefined {
  switch (record.kind) {
    case 'exchange':
      return record.caller?.name;
    case 'delivery':
      return record.address?.caller;
    case 'steering':
      return record.application;
    case 'link':
    case 'lost':
    case 'awaited':
      return undefined;
  }
}

/** The reason of a refusal by the platform, as far as a text may tell of it. */
function refusalOf({ status, json, signing, caller }: ExchangeRecord): string | undefined {
  const code = codeOf({ json });
  if (status < 400 || !isPlatformCode(code)) return undefined;
  const { state, integratorState } = caller?.standing ?? {};
  const isLate = (signing?.aheadSeconds ?? 0) < 0;
  return [code, ...(signing?.missing ?? []), isLate, state, integratorState].join(' ');
}

/** What is told of a thing may be another thing some time later. */
const soonMs = 60_000;

/** Whether `one` of the earlier records came within a minute before, and nothing was steered since, which may be why it differs. */
export function isJustBefore(one: ExchangeRecord, latest: TraceRecord, earlier: readonly TraceRecord[]): boolean {
  const isSteered = earlier.slice(earlier.indexOf(one)).some(({ kind }) => kind === 'steering');
  return !isSteered && spanOf(latest).fromMs - spanOf(one).toMs <= soonMs;
}

/** Epoch milliseconds from which a record is under way, and at which it is complete. */
export function spanOf(record: TraceRecord): { readonly fromMs: number; readonly toMs: number } {
  if (record.kind === 'awaited') return { fromMs: record.atMs, toMs: record.atMs };
  if (record.kind === 'delivery') return { fromMs: record.arrivedAtMs, toMs: record.arrivedAtMs };
  const fromMs = record.kind === 'steering' ? record.atMs : record.sentAtMs;
  return { fromMs, toMs: fromMs + record.durationMs };
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

/** What is told of a record by those before it. */
type Told<T> = (latest: TraceRecord, earlier: readonly TraceRecord[]) => T;

/**
 * The same, made once for the predicates that ask one after the other. Kept by what came before: the same record may end several
 * histories where traces are changed.
 */
export function askedOnce<T>(tell: Told<T>): Told<T> {
  const known = new WeakMap<readonly TraceRecord[], { readonly latest: TraceRecord; readonly told: T }>();
  return (latest, earlier) => {
    const last = known.get(earlier);
    if (last?.latest === latest) return last.told;
    const told = tell(latest, earlier);
    known.set(earlier, { latest, told });
    return told;
  };
}
