import { methodAndPath } from '../contract/endpoints.ts';
import type { CallerFacts } from '../contract/request.ts';
import { limits } from '../contract/values.ts';
import { conditionNames, type Fact, type FactName, linkToDocument, outcomeNames } from '../schemas/finding.ts';
import { member } from '../schemas/values.ts';
import { jsonIn } from '../trace/exchange.ts';
import { type CallLine, completeAt, type RecordLine } from '../trace/lines.ts';
import type { DeliveryRecord, ExchangeRecord, TraceRecord } from '../trace/records.ts';
import type { SigningFacts } from '../trace/signing.ts';
import { codeOf } from './answers.ts';

/** What is known of a record, by name: what a cause may hang on, and what came. */
export type Facts = Readonly<Partial<Record<FactName, string>>>;

/** The facts of a record; none of what is no message. */
export function factsOf(record: TraceRecord): Facts {
  if (record.kind === 'exchange') return ofExchange(record);
  if (record.kind === 'delivery') return ofDelivery(record);
  if (record.kind === 'awaited')
    return { channel: record.clause.split('.', 1)[0] === 'verdict-event' ? 'verification' : 'issuance' };
  if (record.kind === 'lost') return ofCalled(record);
  return record.kind === 'link' ? { endpoint: linkToDocument, status: String(record.status) } : {};
}

function ofCalled({ endpoint, retired }: Pick<ExchangeRecord, 'endpoint' | 'retired'>): Facts {
  const called = endpoint ?? retired;
  return {
    endpoint: called ? methodAndPath(called) : 'another path',
    path: retired ? 'retired' : endpoint ? 'current' : 'unknown',
  };
}

function ofExchange(record: ExchangeRecord): Facts {
  const { requestHeaders, requestBody, connection, status } = record;
  const code = codeOf(record);
  return {
    ...ofCalled(record),
    ...(record.target.includes('?') ? { query: 'sent' } : {}),
    fault: faultOf(record),
    ...(record.signing && !record.signing.missing.includes('timestamp')
      ? { timestamp: distanceOf(record.signing) }
      : {}),
    signed: record.signing?.isOwnToken && record.signing.isSignOfSent ? 'right' : 'otherwise',
    ...(record.caller ? { caller: standingOf(record.caller) } : {}),
    language: requestHeaders.get('accept-language') ?? 'none',
    contentType: requestHeaders.get('content-type')?.split(';', 1).join('') ?? 'none',
    ...(isBrokenJson(record) ? { content: 'no JSON' } : {}),
    size: sizeOf(requestBody),
    transfer: transferOf(requestHeaders),
    ...(connection === undefined ? {} : { connection: String(connection) }),
    status: String(status),
    ...(code === '' ? {} : { code }),
  };
}

/** Whether a body calls itself JSON, and is none: what reads bodies before anything else stops at that. */
function isBrokenJson({ requestHeaders, requestBody }: ExchangeRecord): boolean {
  if (!requestHeaders.get('content-type')?.startsWith('application/json') || requestBody.length > mostTold)
    return false;
  return jsonIn(requestBody.toString('utf8')) === undefined;
}

/** What is wrong with a request, as far as its sender meant it: by the names of the faults that it was given. */
function faultOf({ aim, isRightlySigned, signing }: ExchangeRecord): string {
  if (aim && aim.faults !== 'accepted') return aim.faults.map(({ name }) => name).join(' and ');
  return isRightlySigned ? 'none' : signing ? 'other' : 'unsigned';
}

const [minute, hour, day] = [60, 3_600, 86_400];

/** How far a timestamp is from the clock, in a few words for all that are about as far. */
function distanceOf({ aheadSeconds }: SigningFacts): string {
  if (aheadSeconds === undefined) return 'that is no plain number';
  const off = Math.abs(aheadSeconds);
  return off <= minute ? 'in time' : `${farOff(off)} ${aheadSeconds > 0 ? 'ahead' : 'behind'}`;
}

/** Whole hours are a time zone, and a multiple of 2^32 s is what a number that is cut to 32 bits takes for nothing. */
function farOff(seconds: number): string {
  const isNear = (unit: number): boolean => Math.abs(seconds - Math.round(seconds / unit) * unit) < minute;
  if (seconds > 2 ** 31 && isNear(2 ** 32)) return 'a multiple of 2^32 s';
  if (seconds > minute * 30 && seconds < hour * 15 && isNear(hour)) return `${Math.round(seconds / hour)} h`;
  if (seconds <= limits.timestampToleranceSeconds) return 'up to 5 min';
  if (seconds <= 10 * minute) return 'up to 10 min';
  return seconds <= day ? 'up to a day' : seconds <= 365 * day ? 'days' : 'years';
}

function standingOf({ standing }: CallerFacts): string {
  const { state = 'active', integratorState = 'active', subscriptions = 'all', rateLimit } = standing;
  const words = [
    state === 'active' ? '' : state,
    integratorState === 'active' ? '' : 'integrator disabled',
    subscriptions === 'all' ? '' : subscriptions.length === 0 ? 'unsubscribed' : 'partly subscribed',
    rateLimit ? 'rate-limited' : '',
  ].filter((word) => word !== '');
  return words.length === 0 ? 'active' : words.join(', ');
}

function ofDelivery({ json, address, signature }: DeliveryRecord): Facts {
  const event = member(json, 'event_type') ?? member(json, 'nfeStatus');
  const channel = address?.channel ?? (member(json, 'nfeStatus') === undefined ? 'verification' : 'issuance');
  return { channel, ...(typeof event === 'string' ? { event } : {}), ...(signature ? { signature } : {}) };
}

function transferOf(headers: ExchangeRecord['requestHeaders']): string {
  if (headers.has('transfer-encoding')) return 'in chunks';
  return headers.has('expect') ? 'after Expect: 100-continue' : 'at once';
}

function sizeOf(body: Buffer): string {
  if (body.length === 0) return 'empty';
  const limit = sizes.find(([most]) => body.length <= most);
  return limit ? limit[1] : 'above 8 KiB';
}

/** A trace shows less of what is larger than that, and no more is known of it. In bytes. */
const mostTold = 8 * 1024;

const sizes = [
  [1024, 'up to 1 KiB'],
  [mostTold, 'up to 8 KiB'],
] as const;

/**
 * What all broken records have in common, with the fewest conditions that none of the right ones has marked as telling: one, or
 * else two; where there are none such, nothing is.
 */
export function commonFacts(broken: readonly Facts[], right: readonly Facts[]): Fact[] {
  const [first = {}, ...others] = broken;
  const common = names.flatMap((name) => {
    const value = first[name];
    return value !== undefined && others.every((facts) => facts[name] === value) ? [{ name, value }] : [];
  });
  const isCondition = ({ name }: Fact): boolean =>
    isOfConnection(name) ? broken.length >= fewestOverOne : isNamed(name);
  const conditions = common.filter(isCondition);
  const isTelling = (some: readonly Fact[]): boolean =>
    !right.some((facts) => some.every(({ name, value }) => facts[name] === value));
  const telling = right.length === 0 ? [] : (choices(conditions).find(isTelling) ?? []);
  return common.map((one) => (telling.includes(one) ? { ...one, telling: true } : one));
}

/** Every record has some connection, and comes behind something: that fewer kinds of them had the same is chance. */
const fewestOverOne = 3;

function isOfConnection(name: FactName): boolean {
  return name === 'connection' || name === 'before';
}

const isNamed = (name: FactName): boolean => conditionNames.some((one) => one === name);

const names: readonly FactName[] = [...conditionNames, ...outcomeNames];

/** Each alone, then each two of them; what came before is looked at last, since a check sends in an order of its own. */
function choices(conditions: readonly Fact[]): readonly (readonly Fact[])[] {
  const all = conditions.filter(({ name }) => name !== 'before');
  const pairs = all.flatMap((one, at) => all.slice(at + 1).map((other) => [one, other]));
  return [...all, ...pairs, ...conditions.filter(({ name }) => name === 'before')].map((some) => [some].flat());
}

/** What is known of an exchange whose `sign` was sent before. */
export const signOfBefore: Facts = { sign: 'sent before' };

/** The exchanges whose `sign` was sent before. Of those that were under way at once the first is one that was not refused. */
export function withSignOfBefore(lines: readonly RecordLine[]): ReadonlySet<RecordLine> {
  const exchanges = lines.filter((line): line is CallLine => line.kind === 'exchange');
  const bySign = Map.groupBy(exchanges, ({ evidence }) => evidence.request.headers.find(isSign)?.[1]);
  bySign.delete(undefined);
  return new Set(
    [...bySign.values()].flatMap((alike) => {
      const [first, ...others] = alike.toSorted((one, other) => one.at - other.at);
      if (!first || others.length === 0) return [];
      const atOnce = alike.filter(({ at }) => at < completeAt(first));
      const earliest = atOnce.find(({ evidence }) => evidence.response?.status !== 401) ?? first;
      return alike.filter((line) => line !== earliest);
    }),
  );
}

function isSign([name]: readonly [string, string]): boolean {
  return name.toLowerCase() === 'sign';
}

/**
 * What a record is like, asked of in the order in which they were complete: the same object for all that are alike. Of those that are
 * repeated it is told that their `sign` was sent before.
 */
export function kindsOfRecords(
  isRepeated: (record: TraceRecord) => boolean = () => false,
): (record: TraceRecord) => Facts {
  const kinds = new Map<string, Facts>();
  const known = new Map<TraceRecord, Facts>();
  const answered = new Map<number, string>();
  const before = (record: TraceRecord): Facts => {
    if (record.kind !== 'exchange' || record.connection === undefined) return {};
    const last = answered.get(record.connection) ?? 'none';
    answered.set(record.connection, `${String(record.status).charAt(0)}xx`);
    return { before: last };
  };
  return (record) => {
    const seen = known.get(record);
    if (seen) return seen;
    const facts = { ...factsOf(record), ...(isRepeated(record) ? signOfBefore : {}), ...before(record) };
    const name = JSON.stringify(facts);
    const kind = kinds.get(name) ?? facts;
    kinds.set(name, kind);
    known.set(record, kind);
    return kind;
  };
}
