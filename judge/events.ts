import { member } from '../schemas/values.ts';
import type { DeliveryRecord, TraceRecord } from '../trace/records.ts';
import { broughtBy, callbackIn } from './delivery.ts';
import { timestampOf } from './course.ts';
import { isIssuedTwice } from './outcomes.ts';
import { judged, type Broken, type HistoryPredicate, type Judgement } from './predicate.ts';
import type { Thing } from './things.ts';

/** Judges a delivery by those to the same application that came before it of the same thing. */
function ofDeliveries(
  clause: HistoryPredicate['clause'],
  of: Thing,
  judge: (latest: DeliveryRecord, before: readonly DeliveryRecord[], earlier: readonly TraceRecord[]) => Judgement,
): HistoryPredicate {
  return {
    clause,
    of,
    judge(latest, earlier) {
      const caller = latest.kind === 'delivery' ? latest.address?.caller : undefined;
      if (latest.kind !== 'delivery' || caller === undefined) return undefined;
      const before = earlier.filter((record) => record.kind === 'delivery' && record.address?.caller === caller);
      return judge(
        latest,
        before.filter((record) => record.kind === 'delivery'),
        earlier,
      );
    },
  };
}

/** Deliveries of the event that a delivery is of, whatever its id: the same bytes, or the same outcome of an invoice. */
function sameEvent(latest: DeliveryRecord, before: readonly DeliveryRecord[], earlier: readonly TraceRecord[]) {
  const brought = broughtBy(latest);
  const isEvent = brought === 'verdict' || brought === 'callback' || brought === 'wrapped callback';
  if (!isEvent || latest.ids.eventId === undefined || isIssuedTwice(earlier)) return [];
  const outcome = outcomeOf(latest);
  return before.filter(
    (record) =>
      record.ids.eventId !== undefined &&
      (record.ids.content === latest.ids.content || (outcome !== undefined && outcomeOf(record) === outcome)),
  );
}

function outcomeOf(record: DeliveryRecord): unknown {
  return member(callbackIn(record), 'nfeStatus');
}

/** Judges that an event keeps its id: at one address, or over several. */
function keptId(clause: HistoryPredicate['clause'], of: Thing, isOneAddress: boolean): HistoryPredicate {
  return ofDeliveries(clause, of, (latest, before, earlier) => {
    const same = sameEvent(latest, before, earlier).filter(
      ({ address }) => (address?.name === latest.address?.name) === isOneAddress,
    );
    if (same.length === 0) return undefined;
    const other = same.find(({ ids }) => ids.eventId !== latest.ids.eventId);
    return judged(other === undefined, () => ({
      expected: isOneAddress ? 'one event id for all attempts of an event' : 'one event id at all addresses',
      // In a trace ids stand hidden: the deliveries beside it show them.
      actual: 'two event ids',
      beside: other ? [other] : [],
    }));
  });
}

/** Whether two deliveries bring different events for sure: of two invoices, or of two kinds. */
function areTwoEvents(one: DeliveryRecord, other: DeliveryRecord): boolean {
  const [kind, otherKind] = [broughtBy(one), broughtBy(other)];
  const areKnown = [kind, otherKind].every((brought) => brought === 'callback' || brought === 'verdict');
  if (!areKnown) return false;
  const [name, otherName] = kind === 'callback' ? [one.ids.nfeId, other.ids.nfeId] : [one.ids.chave, other.ids.chave];
  return kind !== otherKind || (name !== undefined && otherName !== undefined && name !== otherName);
}

/** That what was a callback is one in every attempt: alone, a body that is none of those known may be anybody's. */
const stillCallback = ofDeliveries('issuance-callback.bare-object', 'event', (latest, before) => {
  const known = before.find((record) => broughtBy(record) === 'callback');
  if (!known || latest.json === undefined) return undefined;
  if (broughtBy(latest) !== undefined) return 'holds';
  return { expected: 'the result object, as in an attempt before', actual: 'a body that is none', beside: [known] };
});

/** Events over their retries and addresses. Sections 6.1 and 6.4. */
export const events: readonly HistoryPredicate[] = [
  stillCallback,
  keptId('webhook-delivery.event-id-kept-on-retry', 'content', true),
  keptId('webhook-delivery.event-id-kept-on-retry', 'invoice', true),
  keptId('webhook-delivery.event-id-over-targets', 'content', false),
  keptId('webhook-delivery.event-id-over-targets', 'invoice', false),
  ofDeliveries('webhook-delivery.event-id-of-its-own', 'event', (latest, before) => {
    const other = before.find((record) => areTwoEvents(record, latest));
    if (before.length > 0 && !other) return undefined;
    return judged(other === undefined, () => ({
      expected: 'an event id for each event',
      actual: 'one event id for two events',
      beside: other ? [other] : [],
    }));
  }),
  ofDeliveries('webhook-delivery.body-kept-on-retry', 'event', (latest, before) => {
    const links = (record: DeliveryRecord): string => (record.ids.links ?? []).join(' ');
    // A link may be made anew, since it lives for ten minutes.
    const same = before.filter(
      (record) =>
        record.address?.name === latest.address?.name &&
        !areTwoEvents(record, latest) &&
        links(record) === links(latest),
    );
    const other = same.find(({ ids }) => ids.content !== latest.ids.content);
    if (same.length === 0) return undefined;
    return judged(other === undefined, () => ({
      expected: 'the same bytes each time',
      actual: `${latest.body.length} bytes other than the ${other?.body.length} of before`,
      beside: other ? [other] : [],
    }));
  }),
  ofDeliveries('webhook-signature.hmac-of-timestamp-and-body', 'event', (latest, before) => {
    if (latest.signature !== 'wrong') return latest.signature === 'right' ? 'holds' : undefined;
    const isMissing = !latest.headers.has(`${latest.headerPrefix}-signature`.toLowerCase());
    if (isMissing || before.some(({ signature }) => signature === 'right')) return undefined;
    return wrongSignature(latest, 'the HMAC-SHA256 of timestamp, a dot and the raw body, by the App Secret');
  }),
  ofDeliveries('webhook-signature.fresh-on-retry', 'event', (latest, before) => {
    const first = before.find(({ signature }) => signature === 'right');
    if (!first || timestampOf(first) === timestampOf(latest)) return undefined;
    if (latest.signature === 'right') return 'holds';
    if (latest.signature !== 'wrong') return undefined;
    return { ...wrongSignature(latest, 'each attempt signed over its own timestamp'), beside: [first] };
  }),
];

function wrongSignature({ signatureHint }: DeliveryRecord, expected: string): Broken {
  return { expected, actual: signatureHint ?? 'another signature' };
}
