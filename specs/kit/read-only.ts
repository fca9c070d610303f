import type { NfeOutcome } from '../../contract/values.ts';
import { freshId } from '../../generators/nfe-ids.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { revivedExchange } from '../../targets/empresa.ts';
import {
  accepted,
  cancel,
  endedAs,
  fileEndingAs,
  isSuccess,
  issue,
  issueSettled,
  query,
  queryWhenSettled,
  sendIssuance,
  steerTo,
  withEmpresa,
  type Issued,
  type Issuer,
} from './life-cycle.ts';
import { gatheredOnce } from './gathered-once.ts';
import { briefly } from './reply.ts';
import type { Trial } from './trial.ts';
import { hurriedText } from './awaiting.ts';

/*
 * What leaves something behind, and that several checks only read: where they share an application, they share this too, since
 * what a run leaves there stays. With a control API each check has an application of its own, but where a pace makes that dear.
 */

/** How often something is tried in all that comes to nothing: the checks after that are told why the last time. */
const mostTries = 3;

/** What was tried to make. */
interface Made<T> {
  readonly result: Promise<T>;
  readonly tries: number;
  /** Set where it failed. */
  failure?: { readonly maker: Trial; readonly wasHurried: boolean };
}

/** Makes something once for all checks of a run that share a company; `name` is what the costs of the checks call it. */
export function oncePerRun<T>(
  name: string,
  make: (t: Trial, issuer: Issuer) => Promise<T>,
): (t: Trial, issuer: Issuer) => Promise<T> {
  const all = new Map<string, Made<T>>();
  const madeAt = (place: string, t: Trial, issuer: Issuer): Made<T> => {
    const known = all.get(place);
    if (known && (!known.failure || known.tries === mostTries)) return known;
    const made: Made<T> = { result: make(t, issuer), tries: (known?.tries ?? 0) + 1 };
    all.set(place, made);
    return made;
  };
  return (t, issuer) =>
    t.sharing(name, async () => {
      const made = madeAt(`${t.target.address.baseUrl} ${issuer.empresaId}`, t, issuer);
      try {
        return await made.result;
      } catch (error) {
        made.failure ??= { maker: t, wasHurried: t.isHurried() };
        // Whoever only reads it has waited for nothing, and can't wait longer when repeated.
        if (made.failure.wasHurried && made.failure.maker !== t) throw new NotExercised(hurriedText);
        throw error;
      }
    });
}

/** The same for each outcome of an invoice. */
export function oncePerOutcome<T>(
  name: string,
  make: (t: Trial, issuer: Issuer, outcome: NfeOutcome) => Promise<T>,
): Readonly<Record<NfeOutcome, (t: Trial, issuer: Issuer) => Promise<T>>> {
  const of = (outcome: NfeOutcome): ((t: Trial, issuer: Issuer) => Promise<T>) =>
    oncePerRun(`${name}: ${outcome}`, (t, issuer) => make(t, issuer, outcome));
  return { Autorizada: of('Autorizada'), Negada: of('Negada') };
}

/*
 * Invoices for checks that only read them: issued once where all checks of a run share an application.
 */

/** An issuance by the body of the profile that is promised to end so, whatever came of sending it. */
export async function sentOnce(t: Trial, issuer: Issuer, outcome: NfeOutcome): Promise<Issued> {
  if (t.target.address.control) return (isCommon(t, issuer) ? commonIssuance : send)(t, issuer, outcome);
  const issued = provenIssuance(t, outcome) ?? (await issuance[outcome](t, issuer));
  t.recall(issued.exchange);
  return issued;
}

/** The invoice by which the preflight has seen that the profile keeps its promise. */
function provenIssuance({ target }: Trial, outcome: NfeOutcome): Issued | undefined {
  const proven = target.address.invoices?.[outcome];
  return proven && { nfeId: proven.nfeId, exchange: revivedExchange(proven.issuance) };
}

/**
 * The answer that told before the first check that an invoice was authorised: what it has of links is older than any other. `undefined`
 * where none was seen, or where each check has its own clock.
 */
export function oldestAuthorised(t: Trial): Exchange | undefined {
  const { control, invoices } = t.target.address;
  if (control || !invoices?.Autorizada) return undefined;
  const settled = revivedExchange(invoices.Autorizada.settled);
  t.recall(settled);
  return settled;
}

/** An invoice, with the answer to its issuance; throws a NotExercised where the target did not accept it. */
export async function issuedOnce(t: Trial, issuer: Issuer, outcome: NfeOutcome = 'Autorizada'): Promise<Issued> {
  return accepted(t, fileEndingAs(outcome), await sentOnce(t, issuer, outcome));
}

/** An invoice that ended as its body promises, queried anew; throws a NotExercised where it did not, or not in time. */
export async function settledOnce(t: Trial, issuer: Issuer, outcome: NfeOutcome = 'Autorizada'): Promise<Issued> {
  if (isCommon(t, issuer)) {
    const { nfeId } = await commonSettlement(t, issuer, outcome);
    // Time may have passed: a link that was told then need not live any more.
    return { nfeId, exchange: await query(t, issuer, nfeId) };
  }
  if (t.target.address.control) return issueSettled(t, issuer, outcome);
  const { nfeId } = await issuedOnce(t, issuer, outcome);
  await settlement[outcome](t, issuer);
  const exchange = await query(t, issuer, nfeId);
  return { nfeId, exchange: await endedAs(t, issuer, nfeId, outcome, exchange) };
}

/** An authorised invoice that was cancelled, with the answer to the cancellation, whatever it was. */
export async function cancelledOnce(t: Trial, issuer: Issuer): Promise<Issued> {
  if (t.target.address.control) return (isCommon(t, issuer) ? commonCancellation : cancelNew)(t, issuer);
  // Each step is named, whoever took it: a part of the suite takes them all.
  await issuanceToCancel(t, issuer);
  await settlementToCancel(t, issuer);
  const cancelled = await cancellation(t, issuer);
  t.recall(cancelled.exchange);
  return cancelled;
}

/** One whose cancellation was accepted; throws a NotExercised where it was not. */
export async function cancelledInvoice(t: Trial, issuer: Issuer): Promise<Issued> {
  const issued = await cancelledOnce(t, issuer);
  if (isSuccess(issued.exchange)) return issued;
  throw new NotExercised(`the cancellation was refused: ${briefly(issued.exchange)}`);
}

/** Throws a NotExercised where the first answer was lost and the second refuses what may be taken by then: no check is to read that. */
function soundly(issued: Issued): Issued {
  const { exchange } = issued;
  if (!exchange.isResent || isSuccess(exchange)) return issued;
  throw new NotExercised(`the first answer was lost on the way; the second one: ${briefly(exchange)}`, 'network');
}

const send = async (t: Trial, issuer: Issuer, outcome: NfeOutcome): Promise<Issued> => {
  const nfeId = freshId();
  await steerTo(t, issuer, outcome);
  return soundly({ nfeId, exchange: await sendIssuance(t, issuer, { outcome, nfeId }) });
};

const issuance = oncePerOutcome('issuance', send);

/** Whether an invoice of that application is one of many checks that gather for each other. */
function isCommon(t: Trial, { caller }: Issuer): boolean {
  return caller.isCommon === true && t.gathersIn() !== undefined;
}

async function cancelNew(t: Trial, issuer: Issuer): Promise<Issued> {
  const { nfeId } = await issueSettled(t, issuer);
  return { nfeId, exchange: await cancel(t, issuer, nfeId) };
}

const commonIssuance = gatheredOnce('common issuance', send);
const commonSettlement = gatheredOnce('common settlement', (t, issuer: Issuer, outcome: NfeOutcome) =>
  issueSettled(t, issuer, outcome),
);
const commonCancellation = gatheredOnce('common cancellation', cancelNew);

const settlement = oncePerOutcome('settlement', async (t, issuer, outcome) => {
  const { nfeId } = await issuedOnce(t, issuer, outcome);
  await queryWhenSettled(t, issuer, nfeId);
});

const issuanceToCancel = oncePerRun('issuance to cancel', (t, issuer) => send(t, issuer, 'Autorizada'));

const settlementToCancel = oncePerRun('settlement to cancel', async (t, issuer) => {
  const { nfeId } = accepted(t, 'nf-e.autorizada.json', await issuanceToCancel(t, issuer));
  await queryWhenSettled(t, issuer, nfeId);
  return nfeId;
});

const cancellation = oncePerRun('cancellation', async (t, issuer): Promise<Issued> => {
  const nfeId = await settlementToCancel(t, issuer);
  await endedAs(t, issuer, nfeId, 'Autorizada', await query(t, issuer, nfeId));
  return soundly({ nfeId, exchange: await cancel(t, issuer, nfeId) });
});

/** An id that an invoice of a company has, sent by a second company of the same application: the answer to that, whatever it is. Section 2.2. */
export const idOfTwoCompanies = oncePerRun('id of two companies', async (t, issuer) => {
  const { nfeId } = await issue(t, issuer);
  const second = await withEmpresa(t, issuer.caller, 'other');
  return { second, nfeId, exchange: await sendIssuance(t, second, { nfeId }) };
});
