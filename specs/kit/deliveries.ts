import type { Answer } from '../../targets/receiver/address.ts';
import { type Arrival, epochMs, jsonIn } from '../../trace/exchange.ts';
import { deliveryHeader } from '../../client/verify-delivery.ts';
import type { StoredDelivery } from '../../targets/address.ts';
import type { Inbox } from '../../targets/inbox.ts';
import { type Caller, callerFacts } from '../../targets/applications.ts';
import type { Target } from '../../targets/target.ts';
import { secretAmong, signatureOf, signatureFault, tokenAmong } from '../../trace/delivery-signature.ts';
import { deliveryRecord, type AddressFacts, type DeliveryContext, type DeliveryRecord } from '../../trace/records.ts';
import { answerOf, contentOf, targetOf } from './recorder.ts';
import type { TrialRecord } from './trial-record.ts';
import { member } from '../../schemas/values.ts';
import { isReceived } from '../../trace/links.ts';

/** What a check says of addresses of ours and of what comes to them. */
export interface Deliveries {
  /** Says what will come to an address of ours, before the target is given it. */
  announce(inbox: Inbox, channel: AddressFacts['channel'], caller: Caller, token?: string): void;
  /**
   * Notes deliveries that came to this check. What came to an address that is not the check's own is judged where the
   * application has signed it; what came to its own was judged as it came.
   */
  received(...arrivals: readonly Arrival[]): void;
  /** The same of those that are surely the target's, whoever signed them. */
  receivedSurely(...arrivals: readonly Arrival[]): void;
  /** The same of those that came to an earlier receiver, for that application. */
  receivedBefore(caller: Caller, deliveries: readonly StoredDelivery[]): void;
  /** Whether the application has signed a delivery. */
  isSurelySent(arrival: Arrival): boolean;
  /** The same of one that came to another check, where it was judged. */
  receivedElsewhere(arrival: Arrival): void;
}

/** The deliveries of a target, as the check of that record takes them down. */
export function deliveriesTo(target: Target, record: TrialRecord): Deliveries {
  const { headerPrefix } = target.address.webhook;
  return {
    announce(inbox, channel, caller, token) {
      // It stays when this check and its receiver are gone: what comes for others then would be theirs to have lost.
      if (caller.isCommon) throw new Error('an address is given to an application that other checks call as');
      // Where others have documents verified meanwhile, nothing tells whose event one is.
      if (record.isAbreast && channel === 'verification' && !('answerBy' in inbox))
        throw new Error('a check that looks for verdicts at the address of the run is to be declared as isInTurn');
      const { name, hasOwnClock } = callerFacts(caller);
      const target = targetOf(inbox.url);
      const facts = {
        name: target,
        channel,
        caller: name,
        ...(hasOwnClock ? { hasOwnClock } : {}),
        registered: { target, ...(token === undefined ? {} : { tokenBytes: Buffer.byteLength(token) }) },
      };
      record.recorder.address({ facts, target, ...(token === undefined ? {} : { token }) });
    },
    received(...arrivals) {
      for (const arrival of arrivals) {
        if (!notes(record, arrival) || isOfOwnInbox(arrival) || !isSurelySent(arrival, target)) continue;
        recordDelivery(record, target, arrival);
      }
    },
    receivedSurely(...arrivals) {
      for (const arrival of arrivals) {
        if (notes(record, arrival) && !isOfOwnInbox(arrival)) recordDelivery(record, target, arrival);
      }
    },
    receivedBefore(caller, deliveries) {
      const { name } = callerFacts(caller);
      for (const delivery of deliveries) {
        if (!notes(record, delivery)) continue;
        const isVerdict = deliveryHeader(delivery, headerPrefix, 'Event') === 'invoice.verify.completed';
        const channel = isVerdict ? 'verification' : 'issuance';
        record.recorder.address({ facts: { name: delivery.target, channel, caller: name }, target: delivery.target });
        recordDelivery(record, target, delivery, { status: delivery.answeredStatus });
      }
    },
    receivedElsewhere(arrival) {
      if (notes(record, arrival)) record.recorder.recall(recordOfArrival(record, target, arrival));
    },
    isSurelySent: (arrival) => isSurelySent(arrival, target),
  };
}

/**
 * Takes down what has come to the addresses of the whole run, and no check has taken: what others have issued, or had verified, is told
 * of there, too, and is judged as any delivery. Section 6.
 */
export async function receiveOthers(target: Target, record: TrialRecord): Promise<void> {
  // It seeks none of them.
  const deliveries = deliveriesTo(target, { ...record, isAbreast: false });
  for (const channel of ['issuance', 'verification'] as const) {
    const inbox = target.inboxes.shared(channel);
    const left = inbox?.allArrivals().filter((arrival) => !taken.has(arrival)) ?? [];
    if (!inbox || left.length === 0) continue;
    deliveries.announce(inbox, channel, await target.caller(), channel === 'issuance' ? inbox.token : undefined);
    deliveries.received(...left);
  }
}

/** Deliveries that some check of this thread has taken down. */
const taken = new WeakSet<Arrival>();

/** Whether a delivery came to an earlier receiver. */
function isStored(arrival: Arrival): boolean {
  return 'answeredStatus' in arrival;
}

/** Puts a delivery among those that came; whether it is new. Of a body that was cut no signature can be told. */
function notes({ received }: TrialRecord, arrival: Arrival): boolean {
  taken.add(arrival);
  return !arrival.isTooLarge && !received.has(arrival) && received.add(arrival).has(arrival);
}

/** Whether a delivery came to an address that the check has opened, which has told of it as it came. */
function isOfOwnInbox(arrival: Arrival): boolean {
  return 'answer' in arrival;
}

/** Takes a delivery down, with what it was answered. */
export function recordDelivery(record: TrialRecord, target: Target, arrival: Arrival, answer?: Answer): void {
  const { headerPrefix } = target.address.webhook;
  record.recorder.delivery(arrival, headerPrefix, contextOf(record, target, arrival, answer));
}

function recordOfArrival(record: TrialRecord, target: Target, arrival: Arrival): DeliveryRecord | undefined {
  return deliveryRecord(arrival, target.address.webhook.headerPrefix, contextOf(record, target, arrival));
}

function contextOf({ recorder }: TrialRecord, target: Target, arrival: Arrival, answered?: Answer): DeliveryContext {
  const [answer, answerContent] = answered ? [answerOf(answered), contentOf(answered)] : [];
  const given = recorder.addressAt(arrival.target);
  const { control, clockSkewSeconds, knownSkewSeconds, webhook } = target.address;
  const secrets = target.secretsOf(given?.facts.caller);
  const { token } = given ?? {};
  const nfeId = member(jsonIn(arrival.rawBody.toString('utf8')), 'nfeId');
  const tokens = given === undefined || token === undefined ? [] : recorder.tokensAt(given, nfeId);
  // Whatever stands in front of a public address may change the path; behind it the end stays as it is.
  const wanted =
    given && (control ? given.target : given.target.slice(given.target.split('?', 1).join('').lastIndexOf('/')));
  return {
    ...(given ? { address: given.facts } : {}),
    ...(answer === undefined ? {} : { answer }),
    ...(answerContent ? { answerContent } : {}),
    ...(answer === undefined || isStored(arrival) ? {} : { answeredAfterMs: epochMs() - arrival.arrivedAtMs }),
    ...(wanted === undefined ? {} : { isExact: arrival.target.endsWith(wanted) }),
    ...(given ? { ...tokenAmong(arrival, tokens, secrets), ...secretAmong(arrival, secrets) } : {}),
    ...(given && !given.facts.hasOwnClock && (control || knownSkewSeconds !== undefined)
      ? { nowSeconds: Math.floor(arrival.arrivedAtMs / 1000 + clockSkewSeconds) }
      : {}),
    ...signatureOf(arrival, { secrets, token, appKey: given?.facts.caller, headerPrefix: webhook.headerPrefix }),
  };
}

/**
 * Whether a delivery is surely the target's: it is signed right, but perhaps for the letters of its hex. At an address that
 * others know, anybody may leave something.
 */
function isSurelySent(arrival: Arrival, { address, secrets }: Pick<Target, 'address' | 'secrets'>): boolean {
  const { headerPrefix } = address.webhook;
  const { active } = address.credentials;
  const made = [...secrets].filter(([, stand]) => !isReceived(stand)).map(([secret]) => secret);
  return [...made, ...(active === undefined ? [] : [active])].some((appSecret) => {
    const fault = signatureFault(arrival, { appSecret, headerPrefix, otherKeys: {} });
    return fault === undefined || fault.clause === 'webhook-signature.lowercase-hex';
  });
}
