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

/** What our answer to a delivery is taken for is wrong. */
const sameAnswers = sharing(answersOf);

/** The one class that all of our answers are of which are taken for what they are not: 4xx, or none at all. */
export function answersOf(one: Break): string | undefined {
  const ways = [one, ...one.checks.flatMap((check) => check.ways ?? [])];
  const [kind, ...others] = new Set(ways.map(({ expected, actual }) => kindOfOurs(`${expected}; ${actual}`)));
  return others.length > 0 ? undefined : kind;
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

/** Whether deliveries go elsewhere, or retries or failures are not counted, for what the one shows. */
export function isReasonOf(one: Break, other: Break): boolean {
  return isAstray(one, other) || isUncounted(one, other) || isNoFailure(one, other);
}

/** What did not come for the other may have gone where the one shows that deliveries go. */
function isAstray({ clause: { id }, actual }: Break, other: Break): boolean {
  const isElsewhere = id === 'webhook-url.called-exactly' && !isAbsence(actual);
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

/** What makes two clauses one cause by what comes, or does not, at our addresses. */
export const linksOfDeliveries: readonly Link[] = [
  sameHeader,
  absence,
  sameStranger,
  sameAnswers,
  lostRetries,
  sameReason,
];
