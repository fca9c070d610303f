import type { ClauseId } from '../contract/catalogue.ts';
import type { EndpointName } from '../contract/endpoints.ts';
import { isPlainNfeId, limits, nfeStates, type NfeState } from '../contract/values.ts';
import { member, isObject } from '../schemas/values.ts';
import type { ExchangeRecord, TraceRecord } from '../trace/records.ts';
import { isAcceptedBy, isRefusedBy, isTellingError, isWronglyRefused, otherRefusals } from './answers.ts';
import { isTurnedDown, sentJson } from './endpoints.ts';
import {
  askedOnce,
  before,
  clockAfter,
  isAdvance,
  isCall,
  isFound,
  isIssued,
  isOfCallerOf,
  isOfInvoiceOf,
  isSteering,
  spanOf,
  stateIn,
  idsOf,
} from './history.ts';
import { callbackIn } from './delivery.ts';
import { unexplainedBy } from './invoice-operations.ts';
import { judged, shown, type Broken, type HistoryPredicate, type Judgement, ofHistory } from './predicate.ts';

/** The answers that refuse a request for what is asked: those of issuance, query and cancellation. */
const refusals = [400, 404];

/** Seconds after its issuance for which an invoice can surely be cancelled: the law ends that some time. */
const cancellableSeconds = 3600;

function isState(state: unknown): state is NfeState {
  return nfeStates.some((each) => each === state);
}

/** How far a clock may move until what a company may issue by could have run out, its certificate first. */
const steadySeconds = 86_400;

/** Whether something has changed that a company issues by: its certificate, or whether anybody reaches the tax authority. */
function isChangeToIssuer(record: TraceRecord, empresaId: string | undefined): boolean {
  if (record.kind === 'exchange') {
    return record.endpoint?.name === 'certificado-association' && record.ids.empresaId === empresaId;
  }
  return record.kind === 'steering' && member(record.json, 'reachable') !== undefined;
}

/** What is issued as text, but for its id; `undefined` where it is not told for sure. */
function contentOfIssuance(record: ExchangeRecord): string | undefined {
  const json = sentJson(record);
  return isObject(json) ? JSON.stringify({ ...Object(json), id: null }) : undefined;
}

function isSentInto(record: TraceRecord, empresaId: string | undefined): record is ExchangeRecord {
  return isCall(record, 'nfe-issuance') && record.ids.empresaId === empresaId;
}

/** Whether an id of before may be taken for this one. */
function isLikeId(known: string | undefined, nfeId: string): boolean {
  return known?.toLowerCase() === nfeId.toLowerCase();
}

/**
 * That a company goes on issuing: what differs from an invoice that it has issued by its id alone, of which nobody has reason to
 * refuse it, is accepted like that one, whatever has become of its other invoices.
 */
function issuesOn(latest: TraceRecord, earlier: readonly TraceRecord[]): Judgement {
  if (!isCall(latest, 'nfe-issuance') || !isRefusedBy(latest, 'nfe-issuance', refusals)) return undefined;
  const { empresaId, nfeId = '' } = latest.ids;
  const isUsual = latest.caller?.hasOwnClock && latest.requestBody.length <= limits.otherBodyBytes;
  if (!isUsual || latest.isResent || latest.isOfBurst || !isPlainNfeId(nfeId)) return undefined;
  if (earlier.some((record) => isSentInto(record, empresaId) && isLikeId(record.ids.nfeId, nfeId))) return undefined;
  const changed = earlier.findLastIndex((record) => isChangeToIssuer(record, empresaId));
  const content = contentOfIssuance(latest);
  const like = before(latest, earlier.slice(changed + 1)).findLast(
    (record): record is ExchangeRecord =>
      isSentInto(record, empresaId) && isIssued(record) && contentOfIssuance(record) === content,
  );
  if (content === undefined || !like || (latest.nowSeconds ?? Infinity) - (like.nowSeconds ?? 0) > steadySeconds)
    return undefined;
  return broken('200, as for an invoice that differs from it by its id alone', latest, like);
}

/** Queries and cancellations that come to something, or not, by what was issued before under that id. */
function foundById(latest: TraceRecord, earlier: readonly TraceRecord[]): Judgement {
  if (!isCall(latest, 'nfe-query')) return undefined;
  const { fromMs } = spanOf(latest);
  const issued = earlier.find(
    (record) => isIssued(record) && isOfCallerOf(record, latest) && spanOf(record).toMs <= fromMs,
  );
  if (!issued) return undefined;
  if (isFound(latest)) return 'holds';
  if (!isTurnedDown(latest, 'nfe-query', refusals) && !isWronglyRefused(latest, 'nfe-query')) return undefined;
  return broken('200 for an id under which an invoice was issued', latest, issued);
}

/** After a denial an id may be free again: what has the id is known to be no such invoice. */
function uniqueInCompany(latest: TraceRecord, earlier: readonly TraceRecord[]): Judgement {
  if (!isCall(latest, 'nfe-issuance')) return undefined;
  const expected = '400 or 404 for an id that an invoice of the company has';
  if (isIssued(latest)) {
    const unexplained = unexplainedBy(latest, earlier);
    return unexplained && broken(expected, latest, ...unexplained.beside);
  }
  const done = before(latest, earlier);
  const issued = done.find(isIssued);
  if (!issued) return undefined;
  if (isRefusedBy(latest, 'nfe-issuance', refusals)) return 'holds';
  const states = done.map(stateIn);
  const isTaken = states.some((state) => state === 'Autorizada' || state === 'Cancelada') && !states.includes('Negada');
  return isTaken && isWronglyRefused(latest, 'nfe-issuance') ? broken(expected, latest, issued) : undefined;
}

/** Each query is explained by some order of what was asked of the invoice, one thing after another. Section 3.1. */
function lifeCycle(latest: TraceRecord, earlier: readonly TraceRecord[]): Judgement {
  const state = stateIn(latest);
  if (!isFound(latest) || !isState(state)) return undefined;
  const unexplained = unexplainedBy(latest, earlier);
  if (unexplained) {
    const { possible, beside } = unexplained;
    // That nothing is left of what was refused is only implied.
    const isOfRefused = earlier.some(
      (record) => isCall(record, 'nfe-issuance') && isRefusedBy(record, 'nfe-issuance', refusals),
    );
    if (isOfRefused && possible.every((one) => one === 'nothing')) return undefined;
    const states = possible.map((one) => (one === 'nothing' ? 'no invoice' : one)).join(' or ');
    return { expected: `${states}, by what was asked of it and answered`, actual: state, beside };
  }
  const isKnown = earlier.some((record) => isIssued(record) || (isFound(record) && isOfCallerOf(record, latest)));
  return isKnown ? 'holds' : undefined;
}

/** Judges the cancellation of an invoice that was found authorised, soon after its issuance. */
function cancelled(clause: ClauseId, isRefused: (record: ExchangeRecord) => boolean): HistoryPredicate {
  return ofHistory(clause, 'application', (latest, earlier) => {
    if (!isCall(latest, 'nfe-cancellation')) return undefined;
    const known = earlier.filter((record) => isOfInvoiceOf(record, latest));
    const done = before(latest, known);
    const issued = done.find(isIssued);
    const authorised = done.findLast(isFound);
    if (!issued || !authorised || stateIn(authorised) !== 'Autorizada') return undefined;
    if (isAcceptedBy(latest, 'nfe-cancellation')) return 'holds';
    const isAgain = latest.isResent || known.some((record) => isCall(record, 'nfe-cancellation'));
    const isOld = (latest.nowSeconds ?? Infinity) - (issued.nowSeconds ?? 0) > cancellableSeconds;
    const isCutOff = earlier.some((record) => isSteering(record, 'PUT', /\/authority$/));
    if (isAgain || isOld || isCutOff || !isRefused(latest)) return undefined;
    return broken('200 for an authorised invoice', latest, authorised);
  });
}

/** Whether it may be the tax authority that takes no cancellation: of no application but one of a control API is its authority known. Section 7.3. */
function isLeftToAuthority({ caller, json }: ExchangeRecord): boolean {
  return !caller?.isMade && Array.isArray(json) && isTellingError(json);
}

/** That an application of another integrator comes to nothing in a company: each that a control API makes is one. */
function strangersAt(clause: ClauseId, name: EndpointName): HistoryPredicate {
  // How a certificate is refused the contract does not show.
  const isShown = name !== 'certificado-association';
  const statuses = isShown ? refusals : [...refusals, ...otherRefusals];
  const due = `${isShown ? '400 or 404' : '4xx'} for another integrator`;
  return ofHistory(clause, 'company', (latest, earlier) => {
    if (!isCall(latest, name) || !latest.caller) return undefined;
    const registrations = earlier.filter(
      (record) => record.kind === 'exchange' && record.endpoint?.name === 'empresa-registration',
    );
    const owner = before(latest, registrations)[0];
    if (!owner || registrations.some((record) => isRegisteredBy(record, latest.caller?.name))) return undefined;
    if (isRefusedBy(latest, name, statuses)) return 'holds';
    const isWrong = isAcceptedBy(latest, name) || isWronglyRefused(latest, name);
    return isWrong ? broken(due, latest, owner) : undefined;
  });
}

/** Whether it may be that application's company. */
function isRegisteredBy(record: TraceRecord, name: string | undefined): boolean {
  return record.kind === 'exchange' && (record.caller === undefined || record.caller.name === name);
}

/** What was asked of an id before, in whichever company. */
const sameIdBefore = askedOnce((latest, earlier) => {
  const { nfeId } = idsOf(latest);
  return earlier.filter((record): record is ExchangeRecord => record.kind === 'exchange' && record.ids.nfeId === nfeId);
});

/** That nothing is found or cancelled in a company in which nobody issued it; whether it was issued in another one. */
function unissued(clause: ClauseId, name: EndpointName, isElsewhere: boolean): HistoryPredicate {
  return ofHistory(clause, 'application', (latest, earlier) => {
    const { empresaId, nfeId } = idsOf(latest);
    if (!isCall(latest, name) || nfeId === undefined) return undefined;
    const same = sameIdBefore(latest, earlier);
    if (same.some(({ endpoint, ids }) => endpoint?.name === 'nfe-issuance' && ids.empresaId === empresaId)) {
      return undefined;
    }
    const other = same.find((record) => record.ids.empresaId !== empresaId && (isIssued(record) || isFound(record)));
    if ((other !== undefined) !== isElsewhere) return undefined;
    const shows = other ?? earlier.find((record) => isRegistrationOf(record, empresaId));
    if (!shows) return undefined;
    if (isRefusedBy(latest, name, refusals)) return 'holds';
    const isWrong = isAcceptedBy(latest, name) || isWronglyRefused(latest, name);
    return isWrong ? broken('400 or 404 for what nobody issued there', latest, shows) : undefined;
  });
}

/** That nothing is known of what was refused, each time that it was sent, but by its answer. */
function nothingLeft(latest: TraceRecord, earlier: readonly TraceRecord[]): Judgement {
  const isTold = latest.kind === 'delivery' && callbackIn(latest) !== undefined;
  const sent = earlier.filter(
    (record): record is ExchangeRecord => record.kind === 'exchange' && record.endpoint?.name === 'nfe-issuance',
  );
  const [first] = sent;
  if (!first || !(isTold || isCall(latest, 'nfe-query'))) return undefined;
  if (sent.some((record) => record.isResent || record.isOfBurst || !isRefusedBy(record, 'nfe-issuance', refusals)))
    return undefined;
  const expected = 'nothing of an issuance that was refused';
  if (isTold) return { expected, actual: 'a callback', beside: [first] };
  return isFound(latest) ? { expected, actual: shown(stateIn(latest)), beside: [first] } : 'holds';
}

function isRegistrationOf(record: TraceRecord, empresaId: string | undefined): boolean {
  return (
    record.kind === 'exchange' && record.endpoint?.name === 'empresa-registration' && record.ids.empresaId === empresaId
  );
}

/** An invoice that is due to have an outcome at some time. */
interface Due {
  readonly issued: ExchangeRecord;
  readonly atSeconds: number;
  readonly settleSeconds: number;
}

/** The invoice that a query found, whose application has a clock that is known, and when its outcome is due on it. */
const dueOf = askedOnce((latest, earlier): Due | undefined => {
  if (!isFound(latest) || !latest.caller?.hasOwnClock || !isState(stateIn(latest))) return undefined;
  // Of an id that was accepted twice nobody knows which of the two was found.
  const [issued, ...others] = before(latest, earlier).filter(
    (record) => isIssued(record) && isOfInvoiceOf(record, latest),
  );
  const made = earlier.find((record) => isSteering(record, 'POST', /^\/applications$/));
  const isSteered = earlier.some(
    (record) =>
      (isSteering(record, 'PUT', /\/authority$/) && member(record.json, 'reachable') !== undefined) ||
      isSteering(record, 'PATCH', /./),
  );
  if (!issued || others.length > 0 || !isIssued(issued) || made?.kind !== 'steering' || isSteered) return undefined;
  const { nowSeconds } = issued;
  const settleSeconds = member(made.json, 'settleSeconds') ?? 0;
  const isMoved = before(latest, earlier).length < earlier.length || clockAfter(earlier) !== latest.nowSeconds;
  if (typeof settleSeconds !== 'number' || nowSeconds === undefined || isMoved) return undefined;
  return { issued, atSeconds: nowSeconds + settleSeconds, settleSeconds };
});

/** That the outcome is there once its time has come on a clock that is known, and time was given to become quiet. */
function outcomeWhenDue(latest: TraceRecord, earlier: readonly TraceRecord[]): Judgement {
  const due = dueOf(latest, earlier);
  if (!due || !isFound(latest)) return undefined;
  const [state, { issued, atSeconds }] = [stateIn(latest), due];
  const isQuiet = earlier.some(
    (record) =>
      isAdvance(record) && member(record.json, 'wait') !== 'none' && spanOf(record).fromMs >= spanOf(issued).toMs,
  );
  if (!isQuiet || (latest.nowSeconds ?? 0) < atSeconds) return undefined;
  return judged(state !== 'AguardandoAutorizacao', () => ({
    expected: 'an outcome, since its time has come',
    actual: shown(state),
    beside: [issued],
  }));
}

/** That nothing is decided before its time on a clock that stands still. */
function waitsForAuthority(latest: TraceRecord, earlier: readonly TraceRecord[]): Judgement {
  const due = dueOf(latest, earlier);
  if (!due || due.settleSeconds <= 0 || !isFound(latest) || (latest.nowSeconds ?? Infinity) >= due.atSeconds) {
    return undefined;
  }
  const state = stateIn(latest);
  return judged(state === 'AguardandoAutorizacao', () => ({
    expected: 'AguardandoAutorizacao until the outcome is due',
    actual: shown(state),
    beside: [due.issued],
  }));
}

function broken(expected: string, latest: ExchangeRecord, ...beside: readonly TraceRecord[]): Broken {
  return { expected, actual: String(latest.status), beside };
}

/** What happens to invoices from their issuance on. Sections 2.2, 3.1, 4.2 and 7.3. */
export const invoices: readonly HistoryPredicate[] = [
  { clause: 'nfe-issuance.status-200', of: 'application', judge: issuesOn },
  { clause: 'nfe-issuance.id-unique-in-company', of: 'invoice', judge: uniqueInCompany },
  { clause: 'nfe-query.found-by-id', of: 'invoice', judge: foundById },
  { clause: 'nfe-query.follows-the-life-cycle', of: 'invoice', judge: lifeCycle },
  { clause: 'nfe-query.follows-the-life-cycle', of: 'application', judge: outcomeWhenDue },
  { clause: 'nfe-query.waits-for-authority', of: 'application', judge: waitsForAuthority },
  cancelled('nfe-cancellation.found-by-id', (record) => isTurnedDown(record, 'nfe-cancellation', [404])),
  cancelled(
    'nfe-cancellation.status-200',
    (record) =>
      (isTurnedDown(record, 'nfe-cancellation', [400]) && !isLeftToAuthority(record)) ||
      isWronglyRefused(record, 'nfe-cancellation'),
  ),
  { clause: 'nfe-issuance.refused-leaves-nothing', of: 'invoice', judge: nothingLeft },
  strangersAt('nfe-issuance.company-of-its-integrator', 'nfe-issuance'),
  strangersAt('nfe-issuance.company-of-its-integrator', 'certificado-association'),
  strangersAt('nfe-query.not-by-other-integrator', 'nfe-query'),
  strangersAt('nfe-cancellation.not-by-other-integrator', 'nfe-cancellation'),
  unissued('nfe-query.not-in-other-company', 'nfe-query', true),
  unissued('nfe-query.unknown-id', 'nfe-query', false),
  unissued('nfe-cancellation.unknown-id', 'nfe-cancellation', false),
];
