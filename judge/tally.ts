import { methodAndPath } from '../contract/endpoints.ts';
import type { CallerFacts } from '../contract/request.ts';
import { limits } from '../contract/values.ts';
import { jsonIn } from '../trace/exchange.ts';
import type { SigningFacts } from '../trace/signing.ts';
import {
  conditionNames,
  linkToDocument,
  outcomeNames,
  type Fact,
  type FactName,
  wayText,
  type Way,
  type Shared,
} from '../schemas/finding.ts';
import { member } from '../schemas/values.ts';
import type { DeliveryRecord, ExchangeRecord, TraceRecord } from '../trace/records.ts';
import { codeOf } from './answers.ts';
import type { ClauseId } from '../contract/catalogue.ts';
import { type CallLine, isOfMessage, recordOfLine, type RecordLine } from '../trace/lines.ts';
import { openJudge, type Observation } from './judge.ts';
import type { Broken } from './predicate.ts';
import type { Observations } from '../schemas/results.ts';

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
    ...(record.signing ? { timestamp: distanceOf(record.signing) } : {}),
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

/** What the records of a trace said of a clause: how many kept it, how many broke it, and the first that broke it in each way. */
export interface Tally {
  readonly held: number;
  readonly broken: number;
  /** Those of the broken that rest on what came: no way is to blame for them. */
  readonly surely: number;
  /** The ways that nobody accepts; those that are accepted are apart, so that they take nobody's place. */
  readonly ways: readonly BrokenWay[];
  readonly accepted: readonly BrokenWay[];
  /** The records that bear on it and keep it, each once. */
  readonly right: number;
  /** What differed between the records that bear on it, and how many values it had. */
  readonly over: readonly Variety[];
  /** What the records have in common that break it; absent where none does. */
  readonly shared?: Shared;
  /** The places of all of them. */
  readonly records?: ReadonlySet<number>;
}

type Variety = NonNullable<Observations['over']>[number];

/** A way in which a clause is broken, with the lines that show it, the oldest first. */
export interface BrokenWay extends Pick<Broken, 'expected' | 'actual' | 'hint'>, Pick<Way, 'endpoint'> {
  readonly lines: readonly RecordLine[];
}

/** Ways to break a clause that are remembered, and as many of those that are accepted; records that are told by their place. */
const mostWays = 50;
const mostRecords = 20;

/** Judges the lines of a trace by every clause that they bear on, in the order in which they were complete. */
export function judgeLines(
  lines: readonly RecordLine[],
  isAccepted: (clause: ClauseId, way: Way) => boolean = () => false,
): ReadonlyMap<ClauseId, Tally> {
  const judge = openJudge();
  const lineOf = new Map<TraceRecord, RecordLine>();
  const repeated = withSignOfBefore(lines);
  const kindOf = kindsOfRecords((record) => {
    const line = lineOf.get(record);
    return line !== undefined && repeated.has(line);
  });
  const tallies = new Map<ClauseId, OpenTally>();
  const note = ({ clause, broken, record }: Observation): void => {
    const tally = tallies.get(clause) ?? newTally();
    tallies.set(clause, tally);
    if (!broken) {
      tally.held += 1;
      if (tally.lastRight !== record) tally.rightRecords += 1;
      tally.lastRight = record;
      tally.right.add(kindOf(record));
      return;
    }
    tally.broken += 1;
    tally.wrong.add(kindOf(record));
    tally.records.add(record);
    if (!broken.restsOnTime) tally.surely += 1;
    const { expected, actual, hint, beside = [] } = broken;
    const way = { ...endpointOf(record), expected, actual };
    const ways = isAccepted(clause, way) ? tally.accepted : tally.ways;
    const name = wayText(way);
    if (ways.size >= mostWays || ways.has(name)) return;
    const shown = [...beside, record].map((one) => lineOf.get(one)).filter((line) => line !== undefined);
    ways.set(name, { ...way, ...(hint === undefined ? {} : { hint }), lines: shown });
  };
  const broken: Observation[] = [];
  for (const line of lines.toSorted((one, other) => completeAt(one) - completeAt(other))) {
    const record = recordOfLine(line);
    if (!record) continue;
    lineOf.set(record, line);
    kindOf(record);
    for (const observation of judge.see(record, toldOf(line, record))) {
      if (observation.stands) broken.push(observation);
      else note(observation);
    }
  }
  for (const observation of broken) {
    const still = observation.stands?.();
    if (still) note({ ...observation, broken: still });
  }
  judge.end().forEach(note);
  const places = placesOf(lines);
  const placesIn = ({ records }: OpenTally): ReadonlySet<number> => {
    const linesOf = [...records].map((record) => lineOf.get(record));
    return new Set(linesOf.map((line) => line && places.get(line)).filter((place) => place !== undefined));
  };
  const brokenAt = new Map([...tallies].map(([clause, tally]) => [clause, placesIn(tally)]));
  return new Map([...tallies].map(([clause, tally]) => [clause, closed(clause, tally, brokenAt)]));
}

/** The places of the records that break each clause. */
export type BrokenAt = ReadonlyMap<string, ReadonlySet<number>>;

/** The other clauses that most of these records break as well. */
export function brokenBeside(clause: string, records: ReadonlySet<number>, brokenAt: BrokenAt): string[] {
  const all = [...records];
  const isBeside = (others: ReadonlySet<number>): boolean =>
    all.filter((one) => others.has(one)).length * 2 > all.length;
  return [...brokenAt].filter(([id, others]) => id !== clause && isBeside(others)).map(([id]) => id);
}

interface OpenTally {
  /** Records that keep it, each once: what is said of one comes in a row. */
  rightRecords: number;
  lastRight: TraceRecord | undefined;
  broken: number;
  held: number;
  surely: number;
  readonly ways: Ways;
  readonly accepted: Ways;
  /** What the records that keep it, and those that break it, are like: each kind once. */
  readonly right: Set<Facts>;
  readonly wrong: Set<Facts>;
  readonly records: Set<TraceRecord>;
}

function newTally(): OpenTally {
  const [ways, accepted, right, wrong] = [new Map(), new Map(), new Set<Facts>(), new Set<Facts>()];
  const counts = { held: 0, broken: 0, surely: 0, rightRecords: 0, lastRight: undefined };
  return { ...counts, ways, accepted, right, wrong, records: new Set() };
}

function closed(clause: ClauseId, tally: OpenTally, brokenAt: BrokenAt): Tally {
  const { held, broken, surely, ways, accepted, right, wrong } = tally;
  const seen = { right: tally.rightRecords, over: varieties([...right, ...wrong]) };
  const counts = { held, broken, surely, ...seen, ways: [...ways.values()], accepted: [...accepted.values()] };
  if (broken === 0) return counts;
  const records = brokenAt.get(clause) ?? new Set();
  const facts = commonFacts([...wrong], [...right]);
  const first = [...records].slice(0, mostRecords);
  const beside = brokenBeside(clause, records, brokenAt);
  return { ...counts, records, shared: { records: first, facts, beside, wrong: broken, of: held + broken } };
}

function varieties(kinds: readonly Facts[]): Variety[] {
  const named = conditionNames.map((name) => ({
    name,
    values: new Set(kinds.flatMap((kind) => kind[name] ?? [])).size,
  }));
  return named.filter(({ values }) => values > 1);
}

/** The place of each line in a trace, where they stand in the order in which they went out: 1 is the first. */
export function placesOf(lines: readonly RecordLine[]): ReadonlyMap<RecordLine, number> {
  const inOrder = lines.toSorted((one, other) => one.at - other.at);
  return new Map(inOrder.map((line, at) => [line, at + 1]));
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

/** Ways to break a clause, each once, by what tells it from another. */
type Ways = Map<string, BrokenWay>;

function endpointOf(record: TraceRecord): Pick<Way, 'endpoint'> {
  const called = record.kind === 'exchange' ? (record.endpoint ?? record.retired) : undefined;
  return called ? { endpoint: methodAndPath(called) } : {};
}

/** What was said of a record before its secrets were masked; `undefined` where nothing was. */
export function toldOf(line: RecordLine, record: TraceRecord): readonly Observation[] | undefined {
  const told = isOfMessage(line) ? line.told : undefined;
  return told?.map(({ clause, expected, actual = '' }) =>
    expected === undefined ? { clause, record } : { clause, record, broken: { expected, actual } },
  );
}

/** When what a line tells was complete: its place in the order of things. Epoch milliseconds. */
export function completeAt(line: RecordLine): number {
  if (isOfMessage(line)) return line.at + line.evidence.durationMs;
  return line.kind === 'steering' ? line.at + line.ms : line.at;
}
