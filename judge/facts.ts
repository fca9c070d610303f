import { methodAndPath } from '../contract/endpoints.ts';
import type { CallerFacts } from '../contract/standing.ts';
import { conditionNames, outcomeNames, type Fact, type FactName } from '../schemas/finding.ts';
import { member } from '../schemas/values.ts';
import type { DeliveryRecord, ExchangeRecord, TraceRecord } from '../trace/records.ts';
import { codeOf } from './answers.ts';

/** What is known of a record, by name: what a cause may hang on, and what came. */
export type Facts = Readonly<Partial<Record<FactName, string>>>;

/** The facts of a record; none of what is no message. */
export function factsOf(record: TraceRecord): Facts {
  if (record.kind === 'exchange') return ofExchange(record);
  if (record.kind === 'delivery') return ofDelivery(record);
  if (record.kind === 'awaited')
    return { channel: record.clause.split('.', 1)[0] === 'verdict-event' ? 'verification' : 'issuance' };
  return record.kind === 'link' ? { endpoint: 'link to a document', status: String(record.status) } : {};
}

function ofExchange(record: ExchangeRecord): Facts {
  const called = record.endpoint ?? record.retired;
  const { requestHeaders, requestBody, connection, status } = record;
  const code = codeOf(record);
  return {
    endpoint: called ? methodAndPath(called) : 'another path',
    path: record.retired ? 'retired' : record.endpoint ? 'current' : 'unknown',
    fault: faultOf(record),
    signed: record.signing?.isOwnToken && record.signing.isSignOfSent ? 'right' : 'otherwise',
    ...(record.caller ? { caller: standingOf(record.caller) } : {}),
    language: requestHeaders.get('accept-language') ?? 'none',
    contentType: requestHeaders.get('content-type')?.split(';', 1).join('') ?? 'none',
    size: sizeOf(requestBody),
    transfer: transferOf(requestHeaders),
    ...(connection === undefined ? {} : { connection: String(connection) }),
    status: String(status),
    ...(code === '' ? {} : { code }),
  };
}

/** What is wrong with a request, as far as its sender meant it: by the names of the faults that it was given. */
function faultOf({ aim, isRightlySigned, signing }: ExchangeRecord): string {
  if (aim && aim.faults !== 'accepted') return aim.faults.map(({ name }) => name).join(' and ');
  return isRightlySigned ? 'none' : signing ? 'other' : 'unsigned';
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
  return limit ? limit[1] : 'above 64 KiB';
}

const sizes = [
  [1024, 'up to 1 KiB'],
  [64 * 1024, 'up to 64 KiB'],
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
    name === 'connection' ? broken.length >= fewestOverOne : isNamed(name);
  const conditions = common.filter(isCondition);
  const isTelling = (some: readonly Fact[]): boolean =>
    !right.some((facts) => some.every(({ name, value }) => facts[name] === value));
  const telling = right.length === 0 ? [] : (choices(conditions).find(isTelling) ?? []);
  return common.map((one) => (telling.includes(one) ? { ...one, telling: true } : one));
}

/** Every record has some connection: that fewer kinds of them had the same one is chance. */
const fewestOverOne = 3;

const isNamed = (name: FactName): boolean => conditionNames.some((one) => one === name);

const names: readonly FactName[] = [...conditionNames, ...outcomeNames];

/** Each alone, then each two of them. */
function choices<T>(all: readonly T[]): readonly (readonly T[])[] {
  const pairs = all.flatMap((one, at) => all.slice(at + 1).map((other) => [one, other]));
  return [...all.map((one) => [one]), ...pairs];
}
