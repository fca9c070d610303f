import { randomBytes } from 'node:crypto';
import type { ClauseId } from '../../contract/catalogue.ts';
import { limits, nfeOutcomes, type NfeOutcome } from '../../contract/values.ts';
import { jsonCall } from '../../generators/calls.ts';
import { freshId, isAlteredId } from '../../generators/nfe-ids.ts';
import { member, type JsonValue } from '../../schemas/values.ts';
import { acknowledge, type Script } from '../../targets/receiver/address.ts';
import { jsonOf, mentions, type Arrival, type Exchange } from '../../trace/exchange.ts';
import { deliveryHeader, type DeliveryHeader } from '../../client/verify-delivery.ts';
import type { Inbox, OwnInbox } from '../../targets/inbox.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { askedAgain } from '../../targets/empresa.ts';
import { webhookBody } from '../../targets/profile.ts';
import type { Caller, ClockedCaller } from '../../targets/applications.ts';
import {
  hasOtherEmpresa,
  isSuccess,
  issue,
  issuerOf,
  query,
  queryWhenSettled,
  statusOf,
  withEmpresa,
  type Issuer,
} from './life-cycle.ts';
import { openForCallbacks, whileRegistering } from './address-tests.ts';
import { gatheredOnce } from './gathered-once.ts';
import { isReached, lacking, unreached } from './missing.ts';
import { oncePerOutcome } from './read-only.ts';
import { briefly } from './reply.ts';
import type { PromiseOfDelivery } from '../../trace/records.ts';
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
export async function ownCallbacks(
  t: Trial,
  caller: Caller,
  script: Script = acknowledge,
  query?: string,
  token = newToken(t),
): Promise<OwnCallbacks> {
  const inbox = await openForCallbacks(t, script, query);
  t.announce(inbox, 'issuance', caller, token);
  const exchange = await askedAgain(() => register(t, caller, inbox.url, token));
  if (!isSuccess(exchange)) throw new NotExercised(`the address was not registered: ${briefly(exchange)}`);
  return { inbox, token };
}

/** A verification token that shows in no report. */
export function newToken(t: Trial): string {
  return hidden(t, randomBytes(16).toString('hex'));
}

/** That token, which shows in no report from now on. */
export function hidden(t: Trial, token: string): string {
  t.target.hide(token, '$WEBHOOK_TOKEN');
  return token;
}

/** Registers an address, whatever comes of it; its JSON may be spelt otherwise. */
export function register(
  t: Trial,
  caller: Caller,
  uri: JsonValue | undefined,
  token: string,
  spelt: (json: string) => string = (json) => json,
): Promise<Exchange> {
  const call = jsonCall('webhook-registration', spelt(JSON.stringify(webhookBody({ uri, token }))));
  return whileRegistering(uri, () => t.send(caller, call));
}

/** The callbacks of an invoice, once there are so many or time is up; a clock that can be moved stays where it is. */
export async function callbacksFor(
  t: Trial,
  { caller }: Issuer,
  callbacks: Callbacks,
  nfeId: string,
  count = 1,
): Promise<readonly Arrival[]> {
  const ofInvoice = (): readonly Arrival[] => callbacksOfInvoice(callbacks, nfeId);
  if ('advance' in caller) await caller.advance(0);
  else await until(t, 'delivery', () => ofInvoice().length >= count);
  const arrivals = ofInvoice();
  // Nobody else knows the id, so that it needs no signature to be the target's.
  t.receivedSurely(...arrivals);
  return arrivals;
}

/** The invoices whose callbacks were looked for at an address, by any check. */
const soughtAt = new Map<string, Set<string>>();

/**
 * What came of an invoice, be its id altered: at the address of a check whatever is of none of its others; at the one of the run others'
 * callbacks arrive too.
 */
function callbacksOfInvoice({ inbox }: Callbacks, nfeId: string): readonly Arrival[] {
  const sought = soughtAt.get(inbox.url) ?? new Set<string>();
  soughtAt.set(inbox.url, sought.add(nfeId));
  const tells = (arrival: Arrival, id: string): boolean => mentions(arrival, JSON.stringify(id));
  const isOwn = 'answerBy' in inbox;
  const isOfOther = (arrival: Arrival): boolean => [...sought].some((id) => id !== nfeId && tells(arrival, id));
  const isMeant = (arrival: Arrival): boolean => isOwn || isAlteredId(nfeIdOf(arrival), nfeId);
  return inbox.arrivals().filter((arrival) => tells(arrival, nfeId) || (isMeant(arrival) && !isOfOther(arrival)));
}

function nfeIdOf(arrival: Arrival): string {
  const nfeId = member(bodyOfArrival(arrival), 'nfeId');
  return typeof nfeId === 'string' || typeof nfeId === 'number' ? String(nfeId) : '';
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

/** Issues an invoice that ends so, and gives its callback, which a check builds on. */
export async function calledBack(t: Trial, outcome: NfeOutcome): Promise<CalledBack> {
  return calledBackBy(t, await issuerOf(t), outcome);
}

/** What a callback is promised for. */
interface Promised {
  readonly nfeId: string;
  readonly outcome: NfeOutcome;
}

/** The callback that an invoice is promised; `undefined` where none comes, which breaks the clause that promises it. */
export async function promisedCallback(
  t: Trial,
  issuer: Issuer,
  callbacks: Callbacks,
  promised: Promised,
): Promise<Arrival | undefined> {
  const { nfeId, outcome } = promised;
  const [arrival] = await callbacksFor(t, issuer, callbacks, nfeId);
  if (!arrival) await excuseMissing(t, issuer, callbacks, promised);
  await noteWhetherCame(t, issuer.caller, promiseOf[outcome], () => callbacksOfInvoice(callbacks, nfeId).length > 0);
  // On a clock that can be moved, what came with a retry did not come when it was due.
  return arrival ?? ('advance' in issuer.caller ? undefined : callbacksOfInvoice(callbacks, nfeId)[0]);
}

/** The same where a check builds on it: that it comes has a clause of its own. */
export async function neededCallback(
  t: Trial,
  issuer: Issuer,
  callbacks: Callbacks,
  promised: Promised,
): Promise<Arrival> {
  const arrival = await promisedCallback(t, issuer, callbacks, promised);
  if (!arrival) throw lacking(t, `a callback of the invoice ${promised.nfeId}`);
  return arrival;
}

/**
 * The callback that an invoice is promised at an address which was registered before the secret was rotated twice, after one between
 * and a denial; `undefined` also where that of an invoice is lost which waited during a rotation.
 */
export const calledBackAfterRotation = gatheredOnce('callback after a rotation', async (t: Trial) => {
  const before = await t.target.clockedCaller({ settleSeconds: 60 });
  const { empresaId } = await withEmpresa(t, before);
  const callbacks = await ownCallbacks(t, before);
  const calledBackBy = async (caller: ClockedCaller, outcome: NfeOutcome): Promise<Arrival | undefined> => {
    const { nfeId } = await issue(t, { empresaId, caller }, { outcome });
    await caller.advance(60);
    return promisedCallback(t, { empresaId, caller }, callbacks, { nfeId, outcome });
  };
  const once = { ...before, ...(await t.target.rotate(before)) };
  const between = await calledBackBy(once, 'Autorizada');
  const { nfeId } = await issue(t, { empresaId, caller: once });
  const twice = { ...once, ...(await t.target.rotate(once)) };
  if (t.target.missing('denied-issuance') === undefined) await calledBackBy(twice, 'Negada');
  const last = await calledBackBy(twice, 'Autorizada');
  const waited = await promisedCallback(t, { empresaId, caller: twice }, callbacks, { nfeId, outcome: 'Autorizada' });
  return between && waited && last;
});

const promiseOf = {
  Autorizada: 'issuance-callback.called-back-when-authorised',
  Negada: 'issuance-callback.called-back-when-denied',
} as const satisfies Record<NfeOutcome, ClauseId>;

const needOf = { Autorizada: 'authorised-issuance', Negada: 'denied-issuance' } as const;

/** Longest that a decision takes where a later one is there already: by the clock of its application, and in real time behind that. */
const longestDecision = { clockSeconds: 3_600, seconds: 10 };

/**
 * Whether an invoice waits still after so long: which one is decided first is nowhere said, and a worker may be busy though the clock
 * has moved. However much was waited in vain before.
 */
async function waitsForEver(t: Trial, issuer: Issuer, nfeId: string): Promise<boolean> {
  if ('advance' in issuer.caller) await issuer.caller.advance(longestDecision.clockSeconds);
  const isWaiting = (exchange: Exchange): boolean => statusOf(exchange) === 'AguardandoAutorizacao';
  const wait = {
    kind: 'settlement',
    firstPauseMs: 100,
    longestPauseMs: 1_000,
    seconds: longestDecision.seconds,
  } as const;
  const ask = (): Promise<Exchange> => query(t, issuer, encodeURIComponent(nfeId));
  return isWaiting(await t.awaits(wait, ask, (exchange) => !isWaiting(exchange)));
}

/**
 * Throws a NotExercised where a missing callback is nobody's fault: its invoice has not settled, nor has a later one, or, where
 * all checks share an application, somebody else has registered another address at it, which may replace ours. Then no other
 * invoice is called back either, until ours is registered again.
 */
export async function excuseMissing(
  t: Trial,
  issuer: Issuer,
  callbacks: Callbacks,
  { nfeId, outcome }: Promised,
): Promise<void> {
  const isWaiting = async (id: string): Promise<boolean> =>
    statusOf(await queryWhenSettled(t, issuer, encodeURIComponent(id))) === 'AguardandoAutorizacao';
  if (await isWaiting(nfeId)) {
    const isAnyDecided = async (): Promise<boolean> => {
      // One that ends alike first: where those are never decided, others may be.
      const others = nfeOutcomes.filter((one) => one !== outcome && t.target.missing(needOf[one]) === undefined);
      for (const one of [outcome, ...others])
        if (!(await isWaiting((await issue(t, issuer, { outcome: one })).nfeId))) return true;
      return false;
    };
    if (t.target.address.control && (await isAnyDecided()) && (await waitsForEver(t, issuer, nfeId))) return;
    throw new NotExercised(
      'the invoice did not settle in time: NFE_SETTLE_TIMEOUT sets how long is waited',
      'settings',
    );
  }
  // What was hardly waited for accuses nobody, and is waited for longer when the check is repeated.
  if (t.target.address.control || t.isHurried()) return;
  if (!isReached(t)) throw unreached(t);
  const { waits } = t.target.ledger.guard;
  if (waits.isInexcusable()) return;
  const isCalledBack = async (): Promise<boolean> => {
    const twin = await issue(t, issuer, { outcome });
    const hasCome = (): boolean => callbacksOfInvoice(callbacks, twin.nfeId).length > 0;
    // However much was waited in vain before: with less patience than that no excuse would be found.
    await until(t, 'delivery', hasCome, t.target.address.settleTimeoutSeconds);
    return hasCome();
  };
  if (await isCalledBack()) return;
  for (let attempt = 0; attempt < mostReregistrations; attempt++) {
    await register(t, issuer.caller, callbacks.inbox.url, callbacks.token);
    if (!(await isCalledBack())) continue;
    throw new NotExercised(
      'callbacks stopped until our address was registered again: somebody else registers addresses at this application',
    );
  }
  waits.noteInexcusable();
}

/** Somebody else would have to register between each of these and the next callback, which comes at once or soon. */
const mostReregistrations = 2;

const ownCallback = gatheredOnce('callback', calledBack);

/** The same for a check that only reads what came, whenever that was: where all checks share an application, one for all. */
export async function calledBackOnce(t: Trial, outcome: NfeOutcome): Promise<CalledBack> {
  if (t.target.address.control) return ownCallback(t, outcome);
  const issuer = await issuerOf(t);
  const found = await callback[outcome](t, issuer);
  t.announce(found.callbacks.inbox, 'issuance', issuer.caller, found.callbacks.token);
  t.receivedElsewhere(found.arrival);
  return { ...found, issuer };
}

/** Callbacks of two invoices of a company and, where there is a second company, of one there that bears the id of the first. */
export const callbacksOfTwoInvoices = gatheredOnce('callbacks of two invoices', async (t: Trial): Promise<void> => {
  const issuer = await issuerOf(t);
  const callbacks = await callbacksOf(t, issuer.caller);
  const nfeIds = [freshId(), freshId()] as const;
  for (const nfeId of nfeIds) {
    await issue(t, issuer, { nfeId });
    await neededCallback(t, issuer, callbacks, { nfeId, outcome: 'Autorizada' });
  }
  if (!('advance' in issuer.caller) || !hasOtherEmpresa(t)) return;
  // An id names an invoice in its company alone.
  const second = await withEmpresa(t, issuer.caller, 'other');
  await issue(t, second, { nfeId: nfeIds[0] });
  await callbacksFor(t, second, callbacks, nfeIds[0], 2);
});

/** A callback of each outcome that the profile can bring about, for a check that only reads what came. */
export async function calledBackAsEither(t: Trial): Promise<void> {
  await t.each(nfeOutcomes, async (outcome) => {
    if (outcome === 'Negada' && t.target.missing('denied-issuance') !== undefined) return;
    await calledBackOnce(t, outcome);
  });
}

async function calledBackBy(t: Trial, issuer: Issuer, outcome: NfeOutcome): Promise<CalledBack> {
  const callbacks = await callbacksOf(t, issuer.caller);
  // What a callback says does not follow the language of who issued. A denial may be told by other means than an authorisation: its
  // id is in capitals.
  const id = freshId(outcome === 'Negada' ? 'NFE' : 'nfe');
  const { nfeId } = await issue(t, issuer, { outcome, nfeId: id, ambienteEmissao: 'Homologacao', language: 'en' });
  const arrival = await neededCallback(t, issuer, callbacks, { nfeId, outcome });
  return { issuer, callbacks, nfeId, arrival };
}

const callback = oncePerOutcome('callback', calledBackBy);

/** Longest that a first retry is behind the attempt before it. Section 6.4. */
const firstRetrySeconds = Math.ceil(limits.webhookRetryDelaysSeconds[0] * 1.1) + 4;

/**
 * Notes whether a delivery came that a clause promises. One attempt may be the network's to lose: what has not come by its first retry
 * is lost, and is so wherever deliveries are known to reach us.
 */
export async function noteWhetherCame(
  t: Trial,
  caller: Caller | ClockedCaller,
  clause: PromiseOfDelivery,
  hasCome: () => boolean,
): Promise<void> {
  if (hasCome()) return t.awaited(clause, true);
  if (!isReached(t)) return;
  const { settleTimeoutSeconds } = t.target.address;
  const [firstSeconds] = limits.webhookRetryDelaysSeconds;
  if ('advance' in caller) await caller.advance(firstRetrySeconds);
  // Whoever has less patience than a retry takes has said so.
  else if (settleTimeoutSeconds >= firstSeconds)
    await until(t, 'delivery', hasCome, Math.max(0, firstRetrySeconds - settleTimeoutSeconds));
  if (!hasCome()) t.awaited(clause, false);
}

/** The body of a delivery as JSON; `undefined` where it is none. */
export function bodyOfArrival(arrival: Arrival): unknown {
  return jsonOf(arrival);
}

/** One of the five headers of a delivery. */
export function headerOfArrival(t: Trial, arrival: Arrival, header: DeliveryHeader): string | undefined {
  return deliveryHeader(arrival, t.target.address.webhook.headerPrefix, header);
}
