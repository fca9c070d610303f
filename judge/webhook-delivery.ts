import { brandHeader, type DeliveryRecord } from '../trace/records.ts';
import { broughtBy } from './delivery.ts';
import { judged, shown, type DeliveryPredicate, type Judgement } from './predicate.ts';

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
  {
    clause: 'webhook-delivery.post-with-json',
    judge(record): Judgement {
      // A request of another method may ask whether the address is there.
      if (broughtBy(record) === undefined && !(record.method === 'POST' && hasEventHeaders(record))) return undefined;
      const isJson = record.json !== undefined;
      return judged(record.method === 'POST' && isJson, () => ({
        expected: 'POST with a body of JSON',
        actual: `${record.method}, ${isJson ? 'JSON' : 'a body that is no JSON'}`,
      }));
    },
  },
  {
    clause: 'webhook-delivery.media-type',
    judge(record): Judgement {
      if (broughtBy(record) === undefined) return undefined;
      const contentType = record.headers.get('content-type') ?? '';
      return judged(/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType), () => ({
        expected: 'application/json, or another type that ends in +json',
        actual: contentType === '' ? 'no Content-Type' : shown(contentType),
      }));
    },
  },
  ...headerClauses.map(([clause, header]): DeliveryPredicate => ({
    clause,
    judge(record) {
      if (!isOtherThanVerdict(record)) return undefined;
      return judged(!isMissing(record, header), () => ({
        expected: `the header ${record.headerPrefix}-${header}`,
        actual: 'no such header, or an empty one',
      }));
    },
  })),
  {
    clause: 'webhook-delivery.timestamp-header',
    judge(record): Judgement {
      const timestamp = brandHeader(record, 'Timestamp')?.trim() ?? '';
      if (!isOtherThanVerdict(record) && (timestamp === '' || broughtBy(record) === undefined)) return undefined;
      return judged(/^\d{1,11}$/.test(timestamp), () => ({
        expected: `Unix seconds in the header ${record.headerPrefix}-Timestamp`,
        actual: timestamp === '' ? 'no such header, or an empty one' : shown(timestamp),
      }));
    },
  },
  {
    clause: 'webhook-delivery.headers-of-verdicts',
    judge(record): Judgement {
      if (broughtBy(record) !== 'verdict') return undefined;
      const missing = allHeaders.filter((header) => isMissing(record, header));
      return judged(missing.length === 0, () => ({
        expected: 'the five headers of a delivery',
        actual: `no ${missing.map((header) => `${record.headerPrefix}-${header}`).join(', ')}`,
      }));
    },
  },
  {
    clause: 'webhook-delivery.no-token-on-verdicts',
    judge(record): Judgement {
      if (broughtBy(record) !== 'verdict') return undefined;
      return judged(!record.headers.has('token'), () => ({ expected: 'no token header', actual: 'a token header' }));
    },
  },
];
