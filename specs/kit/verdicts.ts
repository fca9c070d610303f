import { chaveIn } from '../../contract/values.ts';
import { acknowledge, type Script } from '../../targets/receiver/address.ts';
import { mentions, type Arrival, type Exchange } from '../../trace/exchange.ts';
import type { Inbox, OwnInbox } from '../../targets/inbox.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import type { Caller, ClockedCaller } from '../../targets/applications.ts';
import { bodyRefused, briefly } from './reply.ts';
import { bodyOfArrival, calledBackAsEither, headerOfArrival, noteWhetherCame, until } from './callbacks.ts';
import { cancel, isSuccess, queryUntil, statusOf, withEmpresa, type Issuer } from './life-cycle.ts';
import { gatheredOnce } from './gathered-once.ts';
import { lacking } from './missing.ts';
import { member } from '../../schemas/values.ts';
import type { Trial } from './trial.ts';
import { documentOf, leaveOutUnreached, ownDocument, verifyDocument, type Headers } from './verification.ts';

/** Where the events of a verification arrive. */
export interface Verdicts<Box extends Inbox = Inbox> {
  readonly inbox: Box;
  /** What has arrived since the address was saved: not its test delivery. */
  readonly events: () => readonly Arrival[];
}

/** The events of an application: at an address of its own where there is a control API, else at the one of the run. */
export async function verdictsOf(t: Trial, caller: Caller): Promise<Verdicts> {
  if (t.target.address.control) return ownVerdicts(t, caller);
  const inbox = t.target.inboxes.shared('verification');
  if (!inbox) throw new NotExercised('NFE_VERIFICATION_WEBHOOK_URL names no address of our receiver', 'settings');
  t.announce(inbox, 'verification', caller);
  const before = inbox.arrivals();
  return { inbox, events: () => newAt(t, inbox, before) };
}

/** What has come to an address since then: not another copy of what had come before, which may arrive at any time. */
function newAt(t: Trial, inbox: Inbox, before: readonly Arrival[]): readonly Arrival[] {
  const since = inbox.arrivals().slice(before.length);
  return since.filter((arrival) => !isCopy(t, arrival, before));
}

/** Whether it is another copy of one of these. Its id alone is no sign of that, where all events have one. */
function isCopy(t: Trial, arrival: Arrival, known: readonly Arrival[]): boolean {
  const idOf = (one: Arrival): string | undefined => headerOfArrival(t, one, 'Event-Id');
  return known.some((one) => one.rawBody.equals(arrival.rawBody) && idOf(one) === idOf(arrival));
}

/** Saves an address of this check, which answers by the script once it is saved. */
export async function ownVerdicts(t: Trial, caller: Caller, script: Script = acknowledge): Promise<Verdicts<OwnInbox>> {
  const [verdicts] = await severalVerdicts(t, caller, [script]);
  if (!verdicts) throw new Error('no address was opened');
  return verdicts;
}

const unsaved = 'the control API did not save the addresses, though each answered its test with 200';
const untested = 'the control API did not save the addresses, and no test came to one of them';

/** Saves several addresses, each of which answers by its script once they are saved; two differ by a letter's case in their queries alone. */
export async function severalVerdicts(
  t: Trial,
  caller: Caller,
  scripts: readonly Script[],
  query?: string,
): Promise<readonly Verdicts<OwnInbox>[]> {
  const inboxes =
    scripts.length === 2 && query === undefined
      ? await t.target.inboxes.openAlike([acknowledge, acknowledge])
      : await Promise.all(
          scripts.map(() => t.target.inboxes.open(acknowledge, query ?? '?canal=verifica%C3%A7%C3%A3o')),
        );
  for (const inbox of inboxes) t.announce(inbox, 'verification', caller);
  const isSaved = await t.target.saveVerificationUrls(
    caller,
    inboxes.map(({ url }) => url),
  );
  const isTested = inboxes.every((inbox) => inbox.arrivals().length > 0);
  if (!isSaved) throw new NotExercised(isTested ? unsaved : untested, 'target');
  return inboxes.map((inbox, at) => {
    const before = inbox.arrivals();
    inbox.answerBy(scripts[at] ?? acknowledge);
    return { inbox, events: () => newAt(t, inbox, before) };
  });
}

/** Has the profile's rejected document verified. */
export async function verifyRejected(t: Trial, caller: Caller): Promise<void> {
  await verifyDocument(t, caller, documentOf(t, 'verificacao.rejeitada.xml'));
}

/** Has the profile's valid document verified anew; throws a NotExercised where the target refuses it. */
export async function verify(t: Trial, caller: Caller): Promise<Exchange> {
  const exchange = await verifyDocument(t, caller, documentOf(t, 'verificacao.autorizada.xml'));
  if (isSuccess(exchange)) return exchange;
  throw bodyRefused("the profile's verificacao.autorizada.xml", exchange);
}

/** Has the profile's rejected document verified, or the valid one while the authority is out of reach. */
export const otherVerdicts = {
  REJECTED: verifyRejected,
  VALIDATION_ERROR: async (t, caller) => {
    await t.target.steer(caller, { reachable: false });
    await verify(t, caller);
  },
} as const satisfies Record<string, (t: Trial, caller: ClockedCaller) => Promise<void>>;

/** Has a document verified and gives the events of it, once there are any or time is up. */
export async function eventsOfVerification(
  t: Trial,
  caller: Caller | ClockedCaller,
  verdicts: Verdicts,
): Promise<readonly Arrival[]> {
  await verify(t, caller);
  const isOfOther = rejectedAt(t);
  const ofIt = (): readonly Arrival[] => verdicts.events().filter((arrival) => !isOfOther(arrival));
  const hasCome = (): boolean => ofIt().length > 0;
  if ('advance' in caller) await caller.advance(0);
  else await until(t, 'verdict', hasCome);
  const onTime = ofIt();
  await noteWhetherCame(t, caller, 'verdict-event.sent-when-settled', hasCome);
  // On a clock that can be moved, what came with a retry did not come when it was due.
  const events = 'advance' in caller ? onTime : ofIt();
  t.received(...events);
  return events;
}

/** Tells the events of the profile's rejected document, which a check before had verified and left, at the address of the run. */
function rejectedAt(t: Trial): (arrival: Arrival) => boolean {
  if (t.target.address.control || t.target.missing('rejected-document') !== undefined) return () => false;
  const files = ['verificacao.autorizada.xml', 'verificacao.rejeitada.xml'] as const;
  const [valid, rejected] = files.map((file) => chaveIn(documentOf(t, file)));
  return (arrival) => rejected !== undefined && rejected !== valid && mentions(arrival, rejected);
}

/** The event that came last of those that are none of the first so many, once more. */
export function newEvent(t: Trial, verdicts: Verdicts, before: number): Arrival | undefined {
  const all = verdicts.events();
  const known = all.slice(0, before);
  return all.slice(before).findLast((arrival) => !isCopy(t, arrival, known));
}

/** An application whose verdicts come as soon as they can be seen: on a clock of its own where there is a control API. */
export function verifierOf(t: Trial): Promise<Caller | ClockedCaller> {
  return t.target.address.control ? t.target.clockedCaller() : t.caller();
}

/** The same events of an application that were made for a check to build on: that any comes has a clause of its own. */
export async function someEvents(
  t: Trial,
  caller: Caller | ClockedCaller,
  verdicts: Verdicts,
): Promise<readonly [Arrival, ...Arrival[]]> {
  const [first, ...rest] = await eventsOfVerification(t, caller, verdicts);
  if (!first) throw noEvent(t);
  return [first, ...rest];
}

/** An event of one verification at an address that answers by the script; time goes on for so long behind it. */
export async function eventsBy(
  t: Trial,
  script: Script,
  seconds: number,
): Promise<{ caller: ClockedCaller; verdicts: Verdicts<OwnInbox> }> {
  const caller = await t.target.clockedCaller();
  const verdicts = await ownVerdicts(t, caller, script);
  await someEvents(t, caller, verdicts);
  await caller.advance(seconds);
  t.received(...verdicts.events());
  return { caller, verdicts };
}

const gatheredEvent = gatheredOnce('verdict', async (t): Promise<Arrival> => {
  const caller = await verifierOf(t);
  const [event] = await someEvents(t, caller, await verdictsOf(t, caller));
  return event;
});

/** Events that took longer than this, in milliseconds, are not waited for by each check. */
const longMs = 3_000;

/** The event that took long, by the channel of the run that it came in. */
const longAwaited = new Map<string, Arrival>();

/**
 * The event of a verification, for a check that only reads it: of an application that is made for it, or at the address of the run. Where
 * events take long there, the first one is read by all.
 */
export async function settledEvent(t: Trial): Promise<Arrival> {
  const { shared } = t.target.address.webhook;
  if (t.target.address.control || !shared) return gatheredEvent(t);
  const known = longAwaited.get(shared.channel);
  if (known) {
    await verdictsOf(t, await t.caller());
    t.receivedElsewhere(known);
    return known;
  }
  const startMs = Date.now();
  const event = await gatheredEvent(t);
  if (Date.now() - startMs > longMs) longAwaited.set(shared.channel, event);
  return event;
}

/** Gathers callbacks of both outcomes and, where the target has what it takes, the event of a verification. */
export async function eventsOfBothChannels(t: Trial): Promise<void> {
  await calledBackAsEither(t);
  if (t.target.missing('verification-webhook') !== undefined || t.target.missing('verified-document') !== undefined)
    return;
  await settledEvent(t);
}

/** The verdict that an application gets on a document; that an event of it comes has a clause of its own. */
export async function verdictsOn(
  t: Trial,
  caller: Caller | ClockedCaller,
  document: string,
  headers: Headers = [],
): Promise<unknown> {
  const { event, hasCome } = await eventOn(t, caller, document, { headers });
  await noteWhetherCame(t, caller, 'verdict-event.sent-when-settled', hasCome);
  const found = event();
  if (!found) throw noEvent(t);
  t.received(found);
  return member(bodyOfArrival(found), 'data');
}

/** How the event of a document is looked for. */
interface EventSought {
  readonly headers?: Headers;
  /** The event is another one than that: by its id, or by the fiscal status that it tells, since that two have two ids is only implied. */
  readonly before?: Arrival;
  /** The document was issued in this run: nobody but the target knows its chave, so that what names it needs no signature to be its. */
  readonly isOwn?: boolean;
}

/** Has a document verified; the event of it that came last. */
async function eventOn(
  t: Trial,
  caller: Caller | ClockedCaller,
  document: string,
  { headers = [], before, isOwn = false }: EventSought,
): Promise<{ event: () => Arrival | undefined; hasCome: () => boolean }> {
  const verdicts = await verdictsOf(t, caller);
  const chave = chaveIn(document);
  // At the address of the run others' events arrive, too, and those of before may come once more.
  const idOf = (arrival: Arrival): string | undefined => headerOfArrival(t, arrival, 'Event-Id');
  const statusIn = (arrival: Arrival): unknown => member(bodyOfArrival(arrival), 'data', 'status');
  const isOfIt = (arrival: Arrival): boolean =>
    (before === undefined || idOf(arrival) !== idOf(before) || statusIn(arrival) !== statusIn(before)) &&
    (t.target.address.control !== undefined || chave === undefined || mentions(arrival, chave));
  const event = (): Arrival | undefined => verdicts.events().findLast(isOfIt);
  const hasCome = (): boolean => event() !== undefined;
  const exchange = await verifyDocument(t, caller, document, headers);
  if (!isSuccess(exchange)) throw new NotExercised(`the document was refused: ${briefly(exchange)}`);
  if ('advance' in caller) await caller.advance(0);
  else await until(t, 'verdict', hasCome);
  if (isOwn && chave !== undefined) t.receivedSurely(...verdicts.events().filter(isOfIt));
  t.received(...verdicts.events());
  return { event, hasCome };
}

/** The events of an own invoice before and after its cancellation, the latter `undefined` where none came. */
interface AroundCancellation {
  readonly before: Arrival;
  readonly after: Arrival | undefined;
}

/** Has an own invoice verified, cancelled, and verified again; a NotExercised where it was not on record, or is not cancelled. */
async function eventsAroundCancellation(t: Trial, issuer: Issuer): Promise<AroundCancellation> {
  const { nfeId, document } = await ownDocument(t, issuer);
  const before = (await eventOn(t, issuer.caller, document, { isOwn: true })).event();
  if (!before) throw noEvent(t);
  if (member(bodyOfArrival(before), 'data', 'status') !== 'Autorizada')
    throw new NotExercised('an own invoice is not on record as Autorizada');
  await cancel(t, issuer, nfeId);
  const cancelled = await queryUntil(t, issuer, nfeId, (status) => status === 'Cancelada', 'cancellation');
  if (statusOf(cancelled) !== 'Cancelada') throw new NotExercised('the invoice was not cancelled');
  return { before, after: (await eventOn(t, issuer.caller, document, { before, isOwn: true })).event() };
}

/** Those that came to the address of a run, by its channel. */
const aroundCancellation = new Map<string, AroundCancellation>();

/** Those of the run, or of this check: what did not come is no answer, and is gathered anew when the check is repeated. */
async function sharedAroundCancellation(t: Trial, issuer: Issuer, channel: string): Promise<AroundCancellation> {
  const known = aroundCancellation.get(channel);
  if (!known) {
    const gathered = await eventsAroundCancellation(t, issuer);
    if (gathered.after) aroundCancellation.set(channel, gathered);
    return gathered;
  }
  await verdictsOf(t, issuer.caller);
  for (const event of [known.before, known.after]) if (event) t.receivedElsewhere(event);
  return known;
}

/**
 * The verdicts on an own invoice before and after its cancellation, the latter `undefined` where no event told it; a NotExercised
 * where the invoice was not on record, or is not cancelled, or where the authority was not reached then. At the address of the run one
 * invoice is cancelled for all checks.
 */
export async function verdictsAroundCancellation(t: Trial): Promise<readonly [before: unknown, after: unknown]> {
  const issuer = await withEmpresa(t, await verifierOf(t));
  const { shared } = t.target.address.webhook;
  const { before, after } =
    t.target.address.control || !shared
      ? await eventsAroundCancellation(t, issuer)
      : await t.sharing('verdicts around a cancellation', () => sharedAroundCancellation(t, issuer, shared.channel));
  const [first, second] = [before, after].map((event) => event && member(bodyOfArrival(event), 'data'));
  leaveOutUnreached(t, member(second, 'validationStatus'));
  return [first, second];
}

/** What it is that no event of a verification came where a check builds on one. */
export function noEvent(t: Trial): Error {
  return lacking(t, 'an event of the verification');
}

/** What a target gives, `undefined` where it doesn't: one that refuses a document, or has no such address, is judged by the rest. Section 6.6. */
export async function whereGiven<T>(made: Promise<T>): Promise<T | undefined> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof NotExercised) return undefined;
    throw error;
  }
}

/** Has a document verified, and again an hour later. */
export const verdictsAnHourApart = gatheredOnce('verdicts an hour apart', async (t: Trial) => {
  const caller = await t.target.clockedCaller();
  const verdicts = await ownVerdicts(t, caller);
  for (const seconds of [0, 3600]) {
    await caller.advance(seconds);
    await verify(t, caller);
    await caller.advance(0);
    t.received(...verdicts.events());
  }
});
