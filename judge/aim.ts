import { catalogue, findClause, topicOf, type ClauseId } from '../contract/catalogue.ts';
import { codes, type PlatformCode, isOfWay } from '../contract/values.ts';
import { refusalsInOrder, refusalWith } from '../contract/precedence.ts';
import type { Aim, ExchangeRecord } from '../trace/records.ts';
import { isLetPass, isUnread, isPage, isRefusal, refusalText, summaryOf } from './answers.ts';
import { type ExchangePredicate, type Judgement, predicate } from './predicate.ts';
import { timestampOf } from './flaws.ts';

/** Topics of the gateway: what is aimed at their clauses is judged by its aim alone. */
const topics = new Set([
  'required-headers',
  'timestamp',
  'token',
  'signature',
  'application',
  'subscription',
  'precedence',
  'retirement',
  'rate-limit',
]);
const furtherClauses: readonly ClauseId[] = ['errors.no-session', 'echo.whole-pipeline'];
const ofGateway: ReadonlySet<string> = new Set([
  ...catalogue.map(({ id }) => id).filter((id) => topics.has(topicOf(id))),
  ...furtherClauses,
]);

/** Judges a clause by what put it to the test, and by what passes by besides, where that tells of it. */
export function put(
  clause: ClauseId,
  inPassing: (record: ExchangeRecord) => Judgement = () => undefined,
): ExchangePredicate {
  return predicate(clause, (record) => {
    const { aim } = record;
    const isBeside = aim && (isUnknownSubscription(record, aim) || isLimitOfRetired(record, aim));
    if (!aim || !ofGateway.has(aim.clause) || isBeside) return inPassing(record);
    return aim.clause === clause ? ofAim(record, aim) : undefined;
  });
}

/** The same of several that nothing else tells of. */
export function putToTheTest(clauses: readonly ClauseId[]): readonly ExchangePredicate[] {
  return clauses.map((clause) => ({ ...put(clause), isOfAimOnly: true }));
}

function ofAim(record: ExchangeRecord, aim: Aim): Judgement {
  const isLimit = isOfLimit(aim);
  // What is in the way, and a limit that nobody asked for, say nothing of the clause.
  if (isOfWay(record.status) || (record.status === 429 && !isLimit)) return undefined;
  return aim.faults === 'accepted' ? isPassed(record) : isRefusedAsItIs(record, aim, aim.faults);
}

function isOfLimit({ faults }: Aim): boolean {
  return faults !== 'accepted' && faults.some(({ code }) => code === codes.rateLimited.code);
}

/** A limit that nobody asked for says nothing of what was aimed at, but a retired path has none: that is a clause of its own. */
function isLimitOfRetired({ status, retired }: ExchangeRecord, aim: Aim): boolean {
  return status === 429 && retired !== undefined && !isOfLimit(aim);
}

function isTurnedAway(record: ExchangeRecord): boolean {
  const { target, requestBody, requestHeaders } = record;
  const hasTransfer = requestHeaders.has('transfer-encoding') || requestHeaders.has('expect');
  const contentType = requestHeaders.get('content-type') ?? '';
  return isUnread(record, { target, requestBody, hasTransfer, contentType });
}

/** Only an application that the control API has made is known to have its subscriptions: of another its clause says nothing. */
function isUnknownSubscription(record: ExchangeRecord, { clause, faults }: Aim): boolean {
  if (faults !== 'accepted' || !isRefusal(record, codes.notSubscribed)) return false;
  const isAlwaysMade = findClause(clause)?.needs?.includes('chosen-application') ?? false;
  return !isAlwaysMade && !(topicOf(clause) === 'subscription' && record.caller?.isMade === true);
}

function isPassed(record: ExchangeRecord): Judgement {
  if (isLetPass(record)) return 'holds';
  if (isTurnedAway(record)) return undefined;
  if (record.signing?.aheadSeconds !== undefined && timestampOf(record) !== 'within') return undefined;
  return { expected: 'accepted by the gateway', actual: summaryOf(record) };
}

type Faults = Exclude<Aim['faults'], 'accepted'>;

function isRefusedAsItIs(record: ExchangeRecord, { clause, hint }: Aim, faults: Faults): Judgement {
  const isInDoubt = timestampOf(record) === 'near the edge';
  if (isInDoubt && faults.some(({ code }) => code === codes.timestampInvalid.code)) return undefined;
  const winners = firstOf(clause, faults);
  if (winners.some((refusal) => isRefusal(record, refusal))) return 'holds';
  if (isTurnedAway(record)) return undefined;
  const isWinner = ({ code }: Faults[number]): boolean => winners.some((winner) => winner.code === code);
  const loser = faults.find((fault) => !isWinner(fault) && isRefusalWith(record, fault.code));
  const tooEarly = loser && `${loser.name} is answered before ${namesOf(faults.filter(isWinner))}`;
  // A page tells of no sign that was taken, nor does any 403.
  const isTaken = isLetPass(record) && record.status !== 403 && !isPage(record);
  const cause = isTaken ? hint : tooEarly;
  return {
    expected: winners.map(refusalText).join(' or '),
    actual: summaryOf(record),
    ...(cause === undefined ? {} : { hint: cause }),
  };
}

/** The refusals that the contract has first: one where the clause is of the order within a status, else all of that status. */
function firstOf(clause: ClauseId, faults: Faults): readonly PlatformCode[] {
  const refusals = refusalsInOrder.filter(({ code }) => faults.some((fault) => fault.code === code));
  const ofFirst = refusals.filter(({ status }) => status === refusals[0]?.status);
  return clause.startsWith('precedence.order-of-') ? ofFirst.slice(0, 1) : ofFirst;
}

function isRefusalWith(record: ExchangeRecord, code: number): boolean {
  const refusal = refusalWith(code);
  return refusal !== undefined && isRefusal(record, refusal);
}

function namesOf(faults: Faults): string {
  return faults.map(({ name }) => name).join(' and ');
}
