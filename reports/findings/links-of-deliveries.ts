import { topicOf } from '../../contract/catalogue.ts';
import { promiseOfVerdicts, promisesOfCallbacks, promisesOfDelivery } from '../../contract/clause.ts';
import { type Break, factOf, isAbsence, timesOf } from './breaks.ts';
import { isRare, isSame, type Link, sharing } from './link.ts';

/** The same header is missing in deliveries. */
const sameHeader = sharing(({ expected, actual }) =>
  /^no (?:such header|X-)/.test(actual) ? /\bX-[\w-]{1,80}/.exec(`${expected}; ${actual}`)?.[0] : undefined,
);

/** On one channel nothing came, be it of several that were due. */
const absence = sharing((one) =>
  /^(?:none|nothing|\d+ lost)(?: came)?(?:,|$)/.test(one.actual) ? channelOf(one) : undefined,
);

/** The channel that it was seen on, or whose deliveries it promises. */
function channelOf(one: Break): string | undefined {
  const { id } = one.clause;
  const promised = id === promiseOfVerdicts ? 'verification' : undefined;
  return factOf(one, 'channel') ?? (promisesOfCallbacks.some((own) => own === id) ? 'issuance' : promised);
}

const ofDeliveries: ReadonlySet<string> = new Set(['webhook-delivery', ...promisesOfDelivery.map(topicOf)]);

/** On one channel the same value came, which was due for neither. */
const sameStranger: Link = (one, other) => {
  const strangers = strangersIn(one);
  return isSame(one, other, 'channel') && strangersIn(other).some((value) => strangers.includes(value));
};

/** Values of some length that came and are not named in what was due. */
function strangersIn({ expected, actual }: Break): readonly string[] {
  const values = [...actual.matchAll(/"([^"]{6,})"/g)].map(([, value = '']) => value);
  return values.filter((value) => !expected.includes(value));
}

/**
 * What our answer to a delivery is taken for is wrong, for the same classes of answers; in what follows a delivery, for those of the one
 * at least.
 */
const sameAnswers: Link = (one, other) => {
  const [own, others] = [answersOf(one), answersOf(other)];
  const isOfDelivery = [one, other].every(({ clause }) => topicOf(clause.id) === 'webhook-delivery');
  const [less, more] = own.size <= others.size ? [own, others] : [others, own];
  return less.size > 0 && less.isSubsetOf(more) && (isOfDelivery || less.size === more.size);
};

/** The classes of our answers that are taken for what they are not, 4xx or none at all; empty where it is about anything else. */
export function answersOf(one: Break): ReadonlySet<string> {
  const ways = [one, ...one.checks.flatMap((check) => check.ways ?? [])];
  const kinds = ways.flatMap(({ expected, actual }) => kindOfOurs(`${expected}; ${actual}`) ?? []);
  return new Set(kinds.length < ways.length ? [] : kinds);
}

function kindOfOurs(text: string): string | undefined {
  const found = ourAnswer.exec(text);
  return found ? (found[1] ?? 'none') : undefined;
}

const ourAnswer =
  /\bafter no answer\b|\b(?:after the(?: answer)?|none after|answered with) (?:([2-5])(?:\d\d|xx)|hang-up)\b/;

/** Retries get lost now and then, whatever the answer was that they are due after. */
const lostRetries: Link = (one, other) =>
  isLossOfRetries(one) && isLossOfRetries(other) && (isRare(one) || isRare(other));

/** Whether a retry did not come that was due, and what was looked through shows others that came. */
export function isLossOfRetries(one: Break): boolean {
  const { clause, expected, actual } = one;
  const { wrong, of } = timesOf(one);
  const isDue = /^(?:a retry|every event, again|\d retries)/.test(expected);
  const isAll = of > 0 && wrong === of;
  return topicOf(clause.id) === 'webhook-delivery' && isDue && !isAll && (isAbsence(actual) || /^\d$/.test(actual));
}

/** The one shows why the other does not hold. */
const sameReason: Link = (one, other) => isReasonOf(one, other) || isReasonOf(other, one);

/** Whether the one shows why the other does not hold: where deliveries go, what they are taken for, that they are lost. */
export function isReasonOf(one: Break, other: Break): boolean {
  return reasons.some((isReason) => isReason(one, other));
}

/** What did not come for the other is among what is promised of every event, and lost. */
function isUnkept({ clause: { id }, actual }: Break, other: Break): boolean {
  const isPromise = (name: string): boolean => promisesOfDelivery.some((promise) => promise === name);
  return isPromise(id) && !isPromise(other.clause.id) && isAbsence(actual) && isAbsence(other.actual);
}

/** Where a redirect is followed, an address is called that was not registered. */
function isLedOn({ clause: { id } }: Break, other: Break): boolean {
  const isElsewhere = other.clause.id === 'webhook-url.called-exactly' && !isAbsence(other.actual);
  return id === whatLeadsOn && isElsewhere;
}

const whatLeadsOn = 'webhook-delivery.redirect-not-followed';

/** A retry with an event id of its own is taken for another event, of a time that is past, and what it repeats for lost. */
function isTakenForAnother({ clause: { id } }: Break, { expected, actual }: Break): boolean {
  return (
    id === 'webhook-delivery.event-id-kept-on-retry' && (isTimeDue(expected) || actual.startsWith('only the later one'))
  );
}

function isTimeDue(expected: string): boolean {
  return expected.startsWith('a time from ') && expected.endsWith(' by the clock of the application');
}

/** What did not come for the other may have come without the field by which it is known, as the one shows. */
function isUnknown({ actual }: Break, other: Break): boolean {
  const lacks = /^(?:\/(?:data\/)?)?(?:chaveAcesso|nfeId) is missing/.test(actual);
  return lacks && isAbsence(other.actual) && promisesOfDelivery.some((promise) => promise === other.clause.id);
}

/** What did not come for the other may have gone where the one shows that deliveries go. */
function isAstray({ clause: { id }, actual }: Break, other: Break): boolean {
  const isElsewhere = id === 'webhook-url.called-exactly' && !isAbsence(actual) && other.clause.id !== whatLeadsOn;
  return isElsewhere && isAbsence(other.actual) && ofDeliveries.has(topicOf(other.clause.id));
}

/** Retries that keep their timestamp are taken for the attempt before, come twice. */
function isUncounted({ clause: { id } }: Break, { expected }: Break): boolean {
  return id === 'webhook-delivery.fresh-timestamp-on-retry' && /^\d retries/.test(expected);
}

/** An answer that is followed by no retry is none of the failures that open the breaker. */
function isNoFailure(one: Break, other: Break): boolean {
  const { id } = one.clause;
  const isOf = id === 'webhook-delivery.other-status-retried' && other.clause.id === 'webhook-delivery.breaker-opens';
  return isOf && sameAnswers(one, other);
}

/** An answer that does not acknowledge is one of the failures that open the breaker, which holds callbacks back. */
function isNoSuccess({ clause: { id } }: Break, other: Break): boolean {
  const isOfCallbacks = channelOf(other) === 'issuance' && topicOf(other.clause.id) === 'webhook-delivery';
  return id === 'webhook-delivery.acknowledged-by-any-2xx' && isOfCallbacks && isAbsence(other.actual);
}

/** Callbacks that name their invoice by another id, or company, are those of others, or of nobody. */
function isMisnamed({ clause: { id }, actual }: Break, other: Break): boolean {
  const isCalledBack = topicOf(other.clause.id) === 'issuance-callback' && isAbsence(other.actual);
  const isNaming = id === 'issuance-callback.nfe-id' || id === 'issuance-callback.empresa-id';
  return isNaming && !isAbsence(actual) && (isCalledBack || byInvoice.has(other.clause.id));
}

/** What takes callbacks for those of one event by the invoice that they name. */
const byInvoice: ReadonlySet<string> = new Set([
  'webhook-delivery.event-id-kept-on-retry',
  'webhook-delivery.event-id-over-targets',
  'webhook-delivery.body-kept-on-retry',
  'issuance-callback.one-outcome',
]);

/** What comes again though it was acknowledged does so, too, where that took its time. */
function isUnheeded({ clause: { id } }: Break, other: Break): boolean {
  const isAgain = other.clause.id === 'webhook-delivery.answer-within-10-seconds' && !isAbsence(other.actual);
  return id === 'webhook-delivery.acknowledged-by-any-2xx' && isAgain;
}

const reasons = [
  isAstray,
  isUncounted,
  isNoFailure,
  isNoSuccess,
  isMisnamed,
  isUnkept,
  isLedOn,
  isUnheeded,
  isUnknown,
  isTakenForAnother,
];

/** The header of the event id is made anew for each address, or attempt, and is not that of the body. */
const sameEventIds: Link = (...both) =>
  both.some(({ clause: { id } }) => id === 'verdict-event.event-id') &&
  both.some(({ clause: { id }, actual }) => byInvoice.has(id) && actual.startsWith('two event ids'));

/** Timestamps that are not of the attempt are not made anew for it either. */
const sameTimestamps: Link = (...both) => both.every(({ clause: { id } }) => ofTimestamps.has(id));

const ofTimestamps: ReadonlySet<string> = new Set([
  'webhook-delivery.timestamp-header',
  'webhook-delivery.fresh-timestamp-on-retry',
]);

/** What makes two clauses one cause by what comes, or does not, at our addresses. */
export const linksOfDeliveries: readonly Link[] = [
  sameTimestamps,
  sameHeader,
  absence,
  sameStranger,
  sameAnswers,
  lostRetries,
  sameReason,
  sameEventIds,
];
