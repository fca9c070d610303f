import { isGarbled } from '../trace/exchange.ts';
import { brandHeader, type DeliveryRecord } from '../trace/records.ts';
import { broughtBy } from './delivery.ts';
import {
  judged,
  shown,
  type DeliveryPredicate,
  type Judgement,
  type ExchangePredicate,
  type HistoryPredicate,
  predicate,
  ofHistory,
} from './predicate.ts';
import { member } from '../schemas/values.ts';
import { isAcceptedBy, isFor, notJson, statusText } from './answers.ts';
import { bare, status200, sentJson } from './endpoints.ts';
import { isDone, isAcknowledged } from './course.ts';

const headerClauses = [
  ['webhook-delivery.event-header', 'Event'],
  ['webhook-delivery.event-id-header', 'Event-Id'],
  ['webhook-delivery.delivery-id-header', 'Delivery-Id'],
  ['webhook-delivery.signature-header', 'Signature'],
] as const;

const allHeaders = [...headerClauses.map(([, header]) => header), 'Timestamp'] as const;
type Header = (typeof allHeaders)[number];

function isMissing(record: DeliveryRecord, header: Header): boolean {
  return (brandHeader(record, header) ?? '').trim() === '';
}

/** Whether it is no verdict: those have one clause for the headers that they lack. */
function isOtherThanVerdict(record: DeliveryRecord): boolean {
  const brought = broughtBy(record);
  return brought !== undefined && brought !== 'verdict';
}

/** Whether headers tell that a body which tells nothing was sent as an event. */
function hasEventHeaders(record: DeliveryRecord): boolean {
  return !isMissing(record, 'Event') && !isMissing(record, 'Event-Id') && !isMissing(record, 'Signature');
}

/** How events are delivered, the test of an address among them. Section 6.1. */
export const webhookDelivery: readonly DeliveryPredicate[] = [
  predicate('webhook-delivery.post-with-json', (record) => {
    // A request of another method may ask whether the address is there.
    if (broughtBy(record) === undefined && !(record.method === 'POST' && hasEventHeaders(record))) return undefined;
    const { headers, body: rawBody } = record;
    const isJson = record.json !== undefined && !isGarbled({ headers: [...headers], rawBody });
    return judged(record.method === 'POST' && isJson, () => ({
      expected: 'POST with a body of JSON',
      actual: `${record.method}, ${isJson ? 'JSON' : notJson(record)}`,
    }));
  }),
  predicate('webhook-delivery.media-type', (record) => {
    if (broughtBy(record) === undefined) return undefined;
    const contentType = record.headers.get('content-type') ?? '';
    return judged(/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType), () => ({
      expected: 'application/json, or another type that ends in +json',
      actual: contentType === '' ? 'no Content-Type' : shown(contentType),
    }));
  }),
  ...headerClauses.map(([clause, header]): DeliveryPredicate =>
    predicate(clause, (record) => {
      if (!isOtherThanVerdict(record)) return undefined;
      return judged(!isMissing(record, header), () => ({
        expected: `the header ${record.headerPrefix}-${header}`,
        actual: 'no such header, or an empty one',
      }));
    }),
  ),
  predicate('webhook-delivery.timestamp-header', (record) => {
    const timestamp = brandHeader(record, 'Timestamp')?.trim() ?? '';
    if (!isOtherThanVerdict(record) && (timestamp === '' || broughtBy(record) === undefined)) return undefined;
    return judged(/^\d{1,11}$/.test(timestamp), () => ({
      expected: `Unix seconds in the header ${record.headerPrefix}-Timestamp`,
      actual: timestamp === '' ? 'no such header, or an empty one' : shown(timestamp),
    }));
  }),
  predicate('webhook-delivery.headers-of-verdicts', (record) => {
    if (broughtBy(record) !== 'verdict') return undefined;
    const missing = allHeaders.filter((header) => isMissing(record, header));
    return judged(missing.length === 0, () => ({
      expected: 'the five headers of a delivery',
      actual: `no ${missing.map((header) => `${record.headerPrefix}-${header}`).join(', ')}`,
    }));
  }),
  predicate('webhook-delivery.no-token-on-verdicts', (record) => {
    const brought = broughtBy(record);
    // An address for callbacks may be tested with the token that it was registered with.
    const isTest = brought === 'test' && record.address?.channel === 'verification';
    if (brought !== 'verdict' && !isTest) return undefined;
    return judged(!record.headers.has('token'), () => ({
      expected: 'no token header',
      actual: record.tokenHint === undefined ? 'a token header' : `a token header with ${record.tokenHint}`,
    }));
  }),
];

const right = 'the HMAC-SHA256 of timestamp, dot and raw body, by the App Secret, in lowercase hex';

/** That no delivery gives an App Secret away, to whoever stands at the address. Section 2.1. */
export const secretsInDeliveries: readonly DeliveryPredicate[] = [
  predicate('token.secret-not-returned', ({ signature, secretIn }) =>
    signature === undefined
      ? undefined
      : judged(secretIn === undefined, () => ({
          expected: 'a delivery without the App Secret',
          actual: `the App Secret in ${secretIn}`,
        })),
  ),
];

/** How the signature of a delivery is written, and by which key it was made. Sections 2.1 and 6.1. */
export const webhookSignature: readonly DeliveryPredicate[] = [
  predicate('webhook-signature.lowercase-hex', (record) => {
    const signature = brandHeader(record, 'Signature') ?? '';
    // Of another length it is no HMAC-SHA256 in hex at all, which is another clause's.
    if (broughtBy(record) === undefined || !/^[\da-f]{64}$/i.test(signature)) return undefined;
    return judged(signature === signature.toLowerCase(), () => ({
      expected: 'lowercase hex',
      actual: shown(signature),
    }));
  }),
  predicate('webhook-signature.key', ({ signature, signatureHint = 'another key' }) => {
    if (signature !== 'right' && signature !== 'by another key') return undefined;
    return judged(signature === 'right', () => ({ expected: 'the App Secret as key', actual: signatureHint }));
  }),
  predicate('webhook-signature.every-delivery', (record) => {
    const { signature, signatureHint = `the signature is ${signature}` } = record;
    // Which secret it is after a rotation is for other clauses.
    if (signature === undefined || signature === 'by a former secret' || broughtBy(record) === undefined)
      return undefined;
    return judged(signature === 'right', () => ({
      expected: right,
      actual: brandHeader(record, 'Signature') === undefined ? 'no signature' : signatureHint,
    }));
  }),
];

/** Answers to the registration of an address. Sections 4.2 and 6.5. */
export const webhookUrl: readonly ExchangePredicate[] = [
  bare('webhook-url.registration-bare', 'webhook-registration'),
  status200('webhook-url.registration-status-200', 'webhook-registration'),
  predicate('webhook-url.absolute-http-only', (record) => {
    if (!isFor(record, 'webhook-registration')) return undefined;
    const uri = member(sentJson(record), 'uri');
    if (typeof uri !== 'string' || /^\s*https?:/i.test(uri)) return undefined;
    if (record.status >= 400 && record.status <= 499 && record.isRightlySigned) return 'holds';
    if (!isAcceptedBy(record, 'webhook-registration')) return undefined;
    return { expected: `4xx for ${shown(uri)}`, actual: statusText(record) };
  }),
];

/** Where deliveries come to. Section 4.1. */
export const webhookUrlOfDeliveries: readonly DeliveryPredicate[] = [
  predicate('webhook-url.called-exactly', (record) => {
    if (record.isExact === undefined || broughtBy(record) === undefined) return undefined;
    return judged(record.isExact, () => ({
      expected: `the registered ${record.address?.registered?.target ?? 'path and query'}`,
      actual: record.target,
    }));
  }),
];

/** How an attempt to save addresses ended, with what came to each of ours meanwhile. */
interface Saving {
  readonly isSaved: boolean;
  readonly arrivals: readonly (readonly DeliveryRecord[])[];
  /** Whether all of its addresses are among ours. */
  readonly isWhole: boolean;
}

/** Judges each attempt to save addresses for verification events. */
function ofSaving(clause: HistoryPredicate['clause'], judge: (saving: Saving) => Judgement): HistoryPredicate {
  return ofHistory(clause, 'application', (latest, earlier) => {
    if (latest.kind !== 'steering' || latest.method !== 'PUT' || !latest.path.endsWith('/verification-webhook'))
      return undefined;
    const urls = member(latest.json, 'urls');
    if (!Array.isArray(urls) || urls.length === 0 || !(isDone(latest) || latest.status === 422)) return undefined;
    const since = earlier.filter((record) => record.kind === 'delivery' && record.arrivedAtMs >= latest.atMs);
    const byName = Map.groupBy(
      since.filter((record) => record.kind === 'delivery'),
      ({ address }) => address?.name,
    );
    return judge({
      isSaved: isDone(latest),
      arrivals: [...byName.values()],
      isWhole: byName.size === urls.length,
    });
  });
}

/** How addresses for verification events are saved. Section 6.5. */
export const addressTests: readonly HistoryPredicate[] = [
  ofSaving('webhook-url.test-delivery', ({ isSaved, isWhole, arrivals }) => {
    const isTested = arrivals.every((came) => came.some((record) => broughtBy(record) === 'test'));
    if (!isWhole || !isSaved) return undefined;
    return judged(isTested, () => ({ expected: 'a test with event_type webhook.verify', actual: 'another delivery' }));
  }),
  ofSaving('webhook-url.saved-when-acknowledged', ({ isSaved, isWhole, arrivals }) => {
    if (!isWhole || !arrivals.flat().every((record) => isAcknowledged(record) === true)) return undefined;
    return judged(isSaved, () => ({ expected: 'saved: each test was answered with 2xx', actual: 'refused with 422' }));
  }),
  ofSaving('webhook-url.not-saved-otherwise', ({ isSaved, arrivals }) => {
    const refusing = arrivals.find((came) => came.every((record) => isAcknowledged(record) === false));
    if (!refusing) return undefined;
    const [first] = refusing;
    return judged(!isSaved, () => ({
      expected: 'refused with 422: a test was not acknowledged',
      actual: `saved after the answer ${String(first?.answer)}`,
      beside: refusing,
    }));
  }),
];
