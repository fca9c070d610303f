import { randomBytes } from 'node:crypto';
import type { NfeOutcome } from '../../contract/states.ts';
import { jsonCall } from '../../generators/calls.ts';
import type { Script } from '../../client/receiver-answer.ts';
import { jsonOf } from '../../client/body-text.ts';
import type { Arrival } from '../../client/receiver-arrival.ts';
import type { Exchange } from '../../client/transport.ts';
import { deliveryHeader, type DeliveryHeader } from '../../client/verify-delivery.ts';
import type { Inbox, OwnInbox } from '../../targets/inbox.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { webhookBody } from '../../targets/profile.ts';
import type { Caller } from '../../targets/target.ts';
import { Deviation } from './deviation.ts';
import { answerText, fileEndingAs, isSuccess, issue, issuerOf, query, type Issuer } from './life-cycle.ts';
import { oncePerOutcome } from './once.ts';
import type { Trial } from './trial.ts';

/** Where the callbacks of an application arrive. */
export interface Callbacks {
  readonly inbox: Inbox;
  /** The verification token that was registered. */
  readonly token: string;
}

/** Callbacks that arrive at an address of one check alone. */
export interface OwnCallbacks extends Callbacks {
  readonly inbox: OwnInbox;
}

/** Pause between two looks at an inbox. */
const pauseMs = 20;

/** The callbacks of an application: at an address of its own where there is a control API, else at the one of the run. */
export async function callbacksOf(t: Trial, caller: Caller): Promise<Callbacks> {
  if (t.target.address.control) return ownCallbacks(t, caller);
  const shared = t.target.inboxes.shared('issuance');
  const refusal = t.target.address.webhook.shared?.refusal;
  if (!shared || refusal !== undefined) throw new NotExercised(refusal ?? 'no address was registered in this run');
  t.announce(shared, 'issuance', caller, shared.token);
  return { inbox: shared, token: shared.token };
}

/** Registers an address of this check, which answers by the script. Throws a NotExercised where the target refuses it. */
export async function ownCallbacks(t: Trial, caller: Caller, script?: Script, query?: string): Promise<OwnCallbacks> {
  const inbox = await t.target.inboxes.open(script, query);
  const token = newToken(t);
  t.announce(inbox, 'issuance', caller, token);
  const exchange = await register(t, caller, inbox.url, token);
  if (!isSuccess(exchange)) throw new NotExercised(`the address was not registered: ${answerText(exchange)}`);
  return { inbox, token };
}

/** A verification token that shows in no report. */
export function newToken(t: Trial): string {
  const token = randomBytes(16).toString('hex');
  t.target.hide(token, '$WEBHOOK_TOKEN');
  return token;
}

/** Registers an address, whatever comes of it. */
export function register(t: Trial, caller: Caller, uri: string, token: string): Promise<Exchange> {
  return t.send(caller, jsonCall('webhook-registration', JSON.stringify(webhookBody({ uri, token }))));
}

/** The callbacks of an invoice, once there are so many or time is up; a clock that can be moved stays where it is. */
export async function callbacksFor(
  t: Trial,
  { caller }: Issuer,
  { inbox }: Callbacks,
  nfeId: string,
  count = 1,
): Promise<readonly Arrival[]> {
  // An address of its own gets nothing else; at the one of the run others' callbacks arrive too.
  const isOwn = 'answerBy' in inbox;
  const ofInvoice = (): readonly Arrival[] =>
    inbox.arrivals().filter(({ rawBody }) => isOwn || rawBody.includes(JSON.stringify(nfeId)));
  if ('advance' in caller) await caller.advance(0);
  else await until(t, 'delivery', () => ofInvoice().length >= count);
  const arrivals = ofInvoice();
  // Nobody else knows the id, so that it needs no signature to be the target's.
  t.receivedSurely(...arrivals);
  return arrivals;
}

/** Waits for a delivery of that kind, no longer than for an asynchronous outcome unless another time is given. */
export async function until(
  t: Trial,
  kind: 'delivery' | 'verdict',
  isMet: () => boolean,
  seconds?: number,
): Promise<void> {
  const wait = { kind, firstPauseMs: pauseMs, longestPauseMs: pauseMs };
  await t.awaits(seconds === undefined ? wait : { ...wait, seconds }, isMet, Boolean);
}

/** An invoice and the callback that reported its outcome. */
export interface CalledBack {
  readonly issuer: Issuer;
  readonly callbacks: Callbacks;
  readonly nfeId: string;
  readonly arrival: Arrival;
}

/** Issues an invoice that ends so, and gives its callback; throws a NotExercised where none comes. */
export async function calledBack(t: Trial, outcome: NfeOutcome): Promise<CalledBack> {
  const issuer = await issuerOf(t);
  const callbacks = await callbacksOf(t, issuer.caller);
  const { nfeId } = await issue(t, issuer, fileEndingAs(outcome));
  const [arrival] = await callbacksFor(t, issuer, callbacks, nfeId);
  if (arrival) return { issuer, callbacks, nfeId, arrival };
  // How it ended tells which callback was lost.
  await query(t, issuer, nfeId);
  throw noCallback();
}

/** The same for a check that only reads what came, whenever that was: where all checks share an application, one for all. */
export async function calledBackOnce(t: Trial, outcome: NfeOutcome): Promise<CalledBack> {
  if (t.target.address.control) return calledBack(t, outcome);
  const issuer = await issuerOf(t);
  const callbacks = await callbacksOf(t, issuer.caller);
  const { nfeId, arrival } = await callback[outcome](t, issuer);
  t.receivedElsewhere(arrival);
  return { issuer, callbacks, nfeId, arrival };
}

const callback = oncePerOutcome('callback', async (t, issuer, outcome) => {
  const callbacks = await callbacksOf(t, issuer.caller);
  const { nfeId } = await issue(t, issuer, fileEndingAs(outcome));
  const [arrival] = await callbacksFor(t, issuer, callbacks, nfeId);
  if (!arrival) throw noCallback();
  return { nfeId, arrival };
});

function noCallback(): NotExercised {
  return new NotExercised('no callback came: see whether issuance-callback.called-back-when-authorised passes');
}

/** What a missing delivery is: the target's fault where it is known to reach us, else nobody's. */
export function missing(t: Trial, what: string): Deviation | NotExercised {
  const { control, webhook } = t.target.address;
  if (control || t.target.ledger.arrivals() > 0) return new Deviation({ expected: what, actual: 'none came' });
  const place = webhook.publicUrl ?? 'the receiver';
  return new NotExercised(`no delivery of any kind has arrived in this run: see whether the target reaches ${place}`);
}

/** The body of a delivery as JSON; `undefined` where it is none. */
export function bodyOfArrival(arrival: Arrival): unknown {
  return jsonOf(arrival);
}

/** One of the five headers of a delivery. */
export function headerOfArrival(t: Trial, arrival: Arrival, header: DeliveryHeader): string | undefined {
  return deliveryHeader(arrival, t.target.address.webhook.headerPrefix, header);
}
