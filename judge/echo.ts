import { echoData } from '../schemas/messages.ts';
import { codePointsOf, sharedStart, member, isObject } from '../schemas/values.ts';
import { validator } from '../schemas/validate.ts';
import { hasStand, piecesOf } from '../trace/people/veil.ts';
import type { ExchangeRecord, TraceRecord } from '../trace/records.ts';
import { put } from './aim.ts';
import {
  isFor,
  isPlainButQuery,
  isShownType,
  isSuccessful,
  isTellingError,
  otherRefusals,
  statusText,
} from './answers.ts';
import { isOfPlainCaller, isSurelyRight } from './flaws.ts';
import { isCall, spanOf } from './history.ts';
import {
  judged,
  shown,
  type ExchangePredicate,
  type HistoryPredicate,
  type Judgement,
  predicate,
  ofHistory,
} from './predicate.ts';
import { hasOneMember, sentJson } from './endpoints.ts';

const faultsOfTime = validator({
  type: 'object',
  required: ['serverTime'],
  properties: { serverTime: echoData.properties.serverTime },
});

/** The message of an echo that was answered with success; `undefined` where another reader might see another one, or none. */
function messageEchoed(record: ExchangeRecord): string | undefined {
  return isSuccessful(record) && !isTellingError(record.json) ? messageSent(record) : undefined;
}

function messageSent(record: ExchangeRecord): string | undefined {
  // With a query or without: it is no part of what is echoed.
  if (record.endpoint?.name !== 'echo' || !isPlainButQuery(record.target)) return undefined;
  const message = member(sentJson(record), 'message');
  if (typeof message !== 'string' || !message.isWellFormed()) return undefined;
  return hasOneMember(record) ? message : undefined;
}

/** Whether an echo that nothing can be wrong with, not even for a reader of narrow tastes, was turned down by the endpoint. */
function isTurnedDown(record: ExchangeRecord): boolean {
  const isOfEndpoint = [400, 404, ...otherRefusals].includes(record.status);
  if (!isOfEndpoint || !isSurelyRight(record) || !isOfPlainCaller(record)) return false;
  const type = record.requestHeaders.get('content-type') ?? '';
  const isJson = /^application\/json *(?:$|;)/.test(type) && (record.status !== 415 || isShownType(type));
  return isJson && /^[\w ]{1,60}$/.test(messageSent(record) ?? '');
}

/** Judges `data` of an echo that was answered with 200, where it is an object. */
function ofData(clause: ExchangePredicate['clause'], judge: (data: unknown) => Judgement): ExchangePredicate {
  return predicate(clause, (record) => {
    if (!isFor(record, 'echo') || record.status !== 200 || isTellingError(record.json)) return undefined;
    const data = member(record.json, 'data');
    return isObject(data) ? judge(data) : undefined;
  });
}

function hintOn(sent: string, returned: unknown): string {
  if (typeof returned !== 'string') return 'data.echo is no text';
  if (returned === sent.replace(/^\uFEFF/, '')) return 'the byte order mark at the start, U+FEFF, is lost';
  if (returned === sent.trim()) return 'white space at the ends is lost';
  if (returned === sent.normalize('NFC'))
    return `the message comes back in Unicode form NFC${difference(sent, returned)}`;
  if (sent.startsWith(returned)) return `the message is cut after ${returned.length} UTF-16 units`;
  if (isAnother(sent, returned)) return 'another text comes back, as if it were the message of another request';
  return `characters are lost or changed on the way${difference(sent, returned)}`;
}

/** Whether two texts have neither start nor end in common, and a word has come that was not sent and that no escape makes. */
function isAnother(sent: string, returned: string): boolean {
  if (sent === '' || sharedStart(sent, returned) > 0 || sent.at(-1) === returned.at(-1)) return false;
  const words = returned.replaceAll(/&\w+;|\\u[\da-f]{4}/gi, ' ').match(/[a-z\d]{4,}/gi) ?? [];
  return words.some((word) => !sent.includes(word));
}

/** The first difference by code points: where people are hidden the texts are, and where they look alike nobody sees it. */
function difference(sent: string, returned: string): string {
  const at = sharedStart(sent, returned);
  const points = (text: string): string => codePointsOf(text.slice(at), 2) || 'nothing';
  return `: ${points(returned)} came where ${points(sent)} was sent`;
}

/** Answers of the echo endpoint. Sections 2.5, 4.1 and 5.4. */
export const echo: readonly ExchangePredicate[] = [
  predicate('echo.status', (record) => {
    if (messageEchoed(record) === undefined && !isTurnedDown(record)) return undefined;
    return judged(record.status === 200, () => ({ expected: '200', actual: statusText(record) }));
  }),
  predicate('echo.platform-envelope', (record) => {
    if (record.status !== 200 || messageEchoed(record) === undefined) return undefined;
    const [success, message] = [member(record.json, 'success'), member(record.json, 'message')];
    return judged(typeof success === 'boolean' && typeof message === 'string', () => ({
      expected: 'an envelope with success, a boolean, and message, a text',
      actual: `success is ${shown(success)}, message ${shown(message)}`,
    }));
  }),
  predicate('echo.success-true', (record) => {
    // A refusal under a 200 has no data.
    if (!isFor(record, 'echo') || record.status !== 200) return undefined;
    const success = member(record.json, 'success');
    if (!isObject(member(record.json, 'data'))) return undefined;
    return judged(success === true, () => ({ expected: 'success is true', actual: `success is ${shown(success)}` }));
  }),
  predicate('echo.message-returned', (record) => {
    const message = messageEchoed(record);
    const data = member(record.json, 'data');
    if (message === undefined || record.status !== 200 || !isObject(data)) return undefined;
    const returned = member(data, 'echo');
    return judged(returned === message, () => ({
      expected: `data.echo is ${shown(message)}`,
      actual: shown(returned),
      hint: hintOn(message, returned),
    }));
  }),
  ofData('echo.identity-fields', (data) => {
    const wrong = ['appKey', 'appName'].find((field) => {
      const value = member(data, field);
      return typeof value !== 'string' || value === '';
    });
    return judged(wrong === undefined, () => ({
      expected: `data.${wrong} is a text that is not empty`,
      actual: shown(member(data, wrong ?? '')),
    }));
  }),
  predicate('echo.app-key', (record) => {
    const [name, told] = [record.caller?.name, member(record.json, 'data', 'appKey')];
    // A caller whose App Key nobody told goes by the place of its secret.
    if (record.status !== 200 || messageEchoed(record) === undefined || !record.isRightlySigned) return undefined;
    if (name === undefined || /^(?:NFE_|\{)/.test(name) || typeof told !== 'string') return undefined;
    return judged(told === name, () => ({ expected: `data.appKey is ${name}`, actual: shown(told) }));
  }),
  predicate('echo.server-time-now', (record) => {
    const { caller, nowSeconds, isRightlySigned } = record;
    const told = Date.parse(String(member(record.json, 'data', 'serverTime')));
    if (messageEchoed(record) === undefined || !isRightlySigned || Number.isNaN(told)) return undefined;
    if (!caller?.hasOwnClock || nowSeconds === undefined) return undefined;
    return judged(told === nowSeconds * 1000, () => ({
      expected: `the clock of the application, which stands still at ${new Date(nowSeconds * 1000).toISOString()}`,
      actual: new Date(told).toISOString(),
    }));
  }),
  predicate('echo.server-time-now', (record) => {
    const off = secondsOff(record);
    if (off === undefined || zoneOf(off) !== undefined || Math.abs(off) <= farthestSeconds) return undefined;
    return {
      expected: 'the clock by which the timestamp of the same request was taken',
      actual:
        off > 0
          ? `a time ${Math.round(off)} s ahead of that timestamp`
          : `a time ${Math.round(-off)} s behind that timestamp`,
    };
  }),
  ofData('echo.server-time-format', (data) => {
    const time = member(data, 'serverTime');
    const isTime = typeof time === 'string' && !Number.isNaN(Date.parse(time));
    return judged(isTime && faultsOfTime(data).length === 0, () => ({
      expected: 'data.serverTime like 2026-09-04T12:00:00.000Z',
      actual: shown(time),
    }));
  }),
  predicate('echo.server-time-format', (record) => {
    const hours = zoneOf(secondsOff(record) ?? 0);
    if (hours === undefined) return undefined;
    const off = `${Math.abs(hours)} h`;
    return {
      expected: 'data.serverTime in UTC',
      actual: hours > 0 ? `a time ${off} ahead of the timestamp taken` : `a time ${off} behind the timestamp taken`,
    };
  }),
  put('echo.whole-pipeline'),
];

/**
 * By how many seconds `serverTime` is off the timestamp that was taken with it; `undefined` where the application has a clock of its
 * own.
 */
function secondsOff(record: ExchangeRecord): number | undefined {
  const told = Date.parse(String(member(record.json, 'data', 'serverTime')));
  const sent = Number(record.requestHeaders.get('timestamp') ?? Number.NaN);
  if (messageEchoed(record) === undefined || !record.isRightlySigned || record.caller?.hasOwnClock) return undefined;
  const off = told / 1000 - sent;
  return Number.isNaN(off) ? undefined : off;
}

/** What clocks that are apart, and the time that an answer takes, may add, in seconds. */
const doubtSeconds = 60;

/** How far from a timestamp that was taken the clock of who took it may be, in seconds. Section 5.2. */
const farthestSeconds = 300 + doubtSeconds;

/** By how many hours a time is of another zone, where it is off as time zones are apart. */
function zoneOf(off: number): number | undefined {
  const quarter = 900;
  const zone = Math.round(off / quarter) * quarter;
  const isZone = Math.abs(off) >= 2 * quarter && Math.abs(off) <= 14.5 * 3600 && Math.abs(off - zone) <= doubtSeconds;
  return isZone ? zone / 3600 : undefined;
}

/** What an echo told its caller of itself; `undefined` where it told no text. */
function toldOfCaller(record: TraceRecord, field: 'appKey' | 'appName'): string | undefined {
  if (!isCall(record, 'echo') || record.status !== 200) return undefined;
  const told = member(record.json, 'data', field);
  return typeof told === 'string' ? told : undefined;
}

/** Whether a text stands for something hidden: what was sent as a token is hidden in the answer to that alone. */
function isHidden(text: string): boolean {
  return hasStand(text) || piecesOf(text, new Set()).some(({ isStand }) => isStand);
}

/** That one application is told of as one and the same: what it is called nobody needs to know for that. */
function toldAlike(clause: HistoryPredicate['clause'], field: 'appKey' | 'appName'): HistoryPredicate {
  return ofHistory(clause, 'application', (latest, earlier) => {
    const told = toldOfCaller(latest, field);
    const before = told === undefined ? undefined : earlier.find((record) => toldOfCaller(record, field) !== undefined);
    const known = before && toldOfCaller(before, field);
    if (!before || known === undefined || told === undefined || [known, told].some(isHidden)) return undefined;
    return judged(known === told, () => ({
      expected: `data.${field} is ${shown(known)}, as before`,
      actual: shown(told),
      beside: [before],
    }));
  });
}

/** The time that an echo told, where the system's clock goes. */
function timeTold(record: TraceRecord): string | undefined {
  if (!isCall(record, 'echo') || record.caller?.hasOwnClock || messageEchoed(record) === undefined) return undefined;
  const told = member(record.json, 'data', 'serverTime');
  return typeof told === 'string' && !Number.isNaN(Date.parse(told)) ? told : undefined;
}

/** Longer than an answer may be on its way. */
const onTheWayMs = 10_000;

/** That the time which is told goes on: whoever tells the same one later has another clock for timestamps, or none for this. */
const goesOn = ofHistory('echo.server-time-now', 'application', (latest, earlier) => {
  const told = timeTold(latest);
  if (told === undefined) return undefined;
  const longBefore = spanOf(latest).fromMs - onTheWayMs;
  const before = earlier.findLast((record) => spanOf(record).toMs <= longBefore && timeTold(record) !== undefined);
  if (!before || timeTold(before) !== told) return undefined;
  return { expected: 'data.serverTime goes on', actual: `${shown(told)} once more, seconds later`, beside: [before] };
});

/** What echoes tell one application of itself over time. Sections 2.5 and 5.4. */
export const identities: readonly HistoryPredicate[] = [
  toldAlike('echo.app-key', 'appKey'),
  toldAlike('echo.app-name', 'appName'),
  goesOn,
];
