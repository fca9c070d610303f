import { fiscalStates } from '../contract/states.ts';
import { member } from '../schemas/member.ts';
import type { ExchangeRecord, TraceRecord } from '../trace/records.ts';
import { isAcceptedBy } from './answers.ts';
import { verdictIn } from './delivery.ts';
import { isCall, isSteering, spanOf } from './history.ts';
import { judged, type HistoryPredicate, type Judgement } from './predicate.ts';
import { idsOf } from './things.ts';

/**
 * That a verdict tells what the tax authority has on record of a document, where that was put there before the document was
 * verified anew. An event is sure to be of that when every request of before has had its own.
 */
function revalidated(latest: TraceRecord, earlier: readonly TraceRecord[]): Judgement {
  if (latest.kind !== 'delivery' || !latest.address || latest.signature === 'wrong') return undefined;
  const { caller } = latest.address;
  const put = earlier.findLast((record) => isSteering(record, 'PUT', /^\/authority\/invoices\//));
  const verdict = verdictIn(latest);
  const [told, known] = [member(verdict, 'status'), put?.kind === 'steering' ? member(put.json, 'status') : undefined];
  const isKnown = [told, known].every((status) => fiscalStates.some((each) => each === status));
  if (!put || !isKnown || member(verdict, 'validationStatus') === 'VALIDATION_ERROR') return undefined;

  const events = earlier.filter((record) => record.kind === 'delivery' && record.address?.caller === caller);
  const asked = earlier.filter(isAsking).filter((record) => record.caller?.name === caller);
  const before = asked.filter((record) => spanOf(record).fromMs < spanOf(put).toMs);
  const after = asked.filter((record) => !before.includes(record));
  const heard = events.filter((record) => spanOf(record).toMs < spanOf(put).fromMs);
  const isFirst = events.every((record) => idsOf(record).eventId !== latest.ids.eventId);
  const isSettled = new Set(heard.map((record) => idsOf(record).eventId)).size >= before.length;
  const isSound = events.some((record) => record.kind === 'delivery' && isValidated(verdictIn(record)));
  const isSame = asked.every(({ requestBody }) => requestBody.equals(asked[0]?.requestBody ?? requestBody));
  if (!isFirst || !isSettled || !isSound || !isSame || after.length === 0 || !after.every(isForced)) return undefined;
  return judged(told === known, () => ({
    expected: `status ${String(known)}, as the authority has it by then`,
    actual: `status ${String(told)}`,
    beside: [put, ...after],
  }));
}

function isValidated(verdict: object | undefined): boolean {
  return member(verdict, 'validationStatus') === 'VALIDATED';
}

function isAsking(record: TraceRecord): record is ExchangeRecord {
  if (record.kind !== 'exchange') return false;
  return record.endpoint?.name === 'nfe-verification' || record.endpoint?.name === 'chave-lookup';
}

function isForced(record: ExchangeRecord): boolean {
  const isTaken = isCall(record, 'nfe-verification') && isAcceptedBy(record, 'nfe-verification');
  return isTaken && record.requestHeaders.get('forcerevalidate') === 'true';
}

/** What verdicts tell of the tax authority's record. Sections 2.4 and 4.1. */
export const authority: readonly HistoryPredicate[] = [
  { clause: 'nfe-verification.force-revalidate', of: 'chave', judge: revalidated },
];
