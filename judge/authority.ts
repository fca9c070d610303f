import { isDeepStrictEqual } from 'node:util';
import { secondsOfTime } from '../schemas/texts.ts';
import { fiscalStates } from '../contract/values.ts';
import { codePointsOf, member, sharedStart } from '../schemas/values.ts';
import type { ExchangeRecord, TraceRecord } from '../trace/records.ts';
import { hasStand } from '../trace/people/veil.ts';
import { isAcceptedBy } from './answers.ts';
import { askedOnce, isCall, isSteering, spanOf, idsOf } from './history.ts';
import { verdictIn } from './delivery.ts';
import { isShort, judged, shown, type HistoryPredicate, type Judgement, ofHistory } from './predicate.ts';

/** A verdict that is surely of what the tax authority has on record by then. */
interface Told {
  readonly verdict: object;
  readonly record: unknown;
  readonly beside: readonly TraceRecord[];
}

/**
 * What a verdict tells, and what was put on record before the document was verified anew. An event is sure to be of that when every
 * request of before has had its own.
 */
const toldOfRecord = askedOnce((latest, earlier): Told | undefined => {
  if (latest.kind !== 'delivery' || !latest.address || latest.signature === 'wrong') return undefined;
  const { caller } = latest.address;
  const put = earlier.findLast((record) => isSteering(record, 'PUT', /^\/authority\/invoices\//));
  const verdict = verdictIn(latest);
  if (put?.kind !== 'steering' || !verdict || isUnreached(verdict, put.json)) return undefined;

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
  return { verdict, record: put.json, beside: [put, ...after] };
});

/** Whether the authority may have been out of reach: what it cannot tell apart it has on record as such. */
function isUnreached(verdict: object, record: unknown): boolean {
  const isError = member(verdict, 'validationStatus') === 'VALIDATION_ERROR';
  const isNothingTold = (member(verdict, 'cStat') ?? null) === null;
  return isError && (member(record, 'status') !== 'Desconhecida' || isNothingTold);
}

/** Judges what a verdict tells of the record. */
function ofRecord(
  clause: HistoryPredicate['clause'],
  judge: (told: Told) => readonly string[] | undefined,
): HistoryPredicate {
  return ofHistory(clause, 'chave', (latest, earlier) => {
    const told = toldOfRecord(latest, earlier);
    const faults = told && judge(told);
    return (
      faults &&
      judged(faults.length === 0, () => ({ expected: onRecord, actual: faults.join('; '), beside: told.beside }))
    );
  });
}

/** What is expected of a verdict. */
export const onRecord = 'what the tax authority has on record';

/** That a status is the one on record, where both are ones that a verdict can have. */
function revalidated({ verdict, record }: Told): readonly string[] | undefined {
  const [told, known] = [member(verdict, 'status'), member(record, 'status')];
  const areKnown = [told, known].every((status) => fiscalStates.some((each) => each === status));
  if (!areKnown || member(verdict, 'validationStatus') === 'VALIDATION_ERROR') return undefined;
  return told === known ? [] : [`status ${String(told)}, not ${String(known)}`];
}

/** Clauses of what a verdict tells of a record. */
export const recordClauses = [
  'verdict-event.return-verbatim',
  'verdict-event.protocolo',
  'verdict-event.data-autorizacao',
  'verdict-event.eventos-of-the-authority',
] as const;

/** The fields that each of them is about. */
export const fieldsOfRecord = {
  'verdict-event.return-verbatim': ['cStat', 'xMotivo'],
  'verdict-event.protocolo': ['protocolo'],
  'verdict-event.data-autorizacao': ['dataAutorizacao'],
  'verdict-event.eventos-of-the-authority': ['eventos'],
} as const satisfies Record<(typeof recordClauses)[number], readonly string[]>;

/** How fields of a verdict differ from those of a record, where that says what they are. What is null on record may be absent as well. */
export function differences(verdict: unknown, record: unknown, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const [told, known] = [member(verdict, name), member(record, name)];
    if (known === undefined || isSameValue(name, told ?? null, known)) return [];
    return [`${name} is ${told === undefined ? 'absent' : shown(told)}, not ${shown(known)}${apart(told, known)}`];
  });
}

/** From where on two texts differ of which one is too long to be shown, and which events differ where their list is; else nothing. */
function apart(told: unknown, known: unknown): string {
  if ([told, known].every(isShort)) return '';
  if (Array.isArray(told) && Array.isArray(known)) return eventsApart(told, known);
  if (typeof told !== 'string' || typeof known !== 'string') return '';
  const at = sharedStart(known, told);
  const point = (text: string): string => codePointsOf(text.slice(at), 1) || 'nothing';
  return `: behind ${at} characters that are right ${point(told)} came where ${point(known)} was due`;
}

function eventsApart(told: readonly unknown[], known: readonly unknown[]): string {
  if (told.length !== known.length) return `: ${told.length} events, not ${known.length}`;
  const came = new Set(told.flatMap(valuesIn));
  const lost = known.flatMap(valuesIn).find((value) => !came.has(value));
  return lost === undefined ? '' : `: no event has ${shown(lost)}`;
}

function isSameValue(name: string, told: unknown, known: unknown): boolean {
  if (name === 'eventos') return Array.isArray(told) && Array.isArray(known) && areSameEvents(told, known);
  if (name === 'dataAutorizacao') return secondOf(told) === secondOf(known);
  if (name !== 'protocolo' || known === null) return told === known;
  return ['numero', 'digestValue'].every((part) => member(told, part) === member(known, part));
}

function secondOf(time: unknown): number | null {
  return typeof time === 'string' ? Math.floor(secondsOfTime(time)) : null;
}

/** Whether each event on record has one of its own with all that it says: order, names and further fields are free. */
function areSameEvents(told: readonly unknown[], known: readonly unknown[]): boolean {
  const left = told.map(valuesIn);
  return (
    known.every((event) => {
      const values = valuesIn(event);
      const at = left.findIndex((each) => values.every((value) => each.includes(value)));
      return at >= 0 && left.splice(at, 1).length === 1;
    }) && left.length === 0
  );
}

/** The texts and numbers in a value, as texts. */
function valuesIn(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesIn);
  return value === null ? [] : [typeof value === 'string' ? value : JSON.stringify(value)];
}

/** That a verdict which is told of the same document again has the same reason. Whoever asked, and of which document, is to be one. */
function sameReason(latest: TraceRecord, earlier: readonly TraceRecord[]): Judgement {
  const verdict = latest.kind === 'delivery' && latest.address ? verdictIn(latest) : undefined;
  const reason = member(verdict, 'reason');
  if (latest.kind !== 'delivery' || !verdict || typeof reason !== 'string') return undefined;
  const caller = latest.address?.caller;
  const last = earlier.findLast(isEventFor(caller));
  if (last?.kind !== 'delivery' || last.ids.eventId === latest.ids.eventId) return undefined;
  const before = verdictIn(last);
  const asked = earlier.filter(isAsking).filter((record) => record.caller?.name === caller && !isLookup(record));
  const isSame = asked.every(({ requestBody }) => requestBody.equals(asked[0]?.requestBody ?? requestBody));
  const reasonBefore = member(before, 'reason');
  if (!before || typeof reasonBefore !== 'string' || !isSame || hasStand([reason, reasonBefore])) return undefined;
  if (!isSameVerdict(before, verdict)) return undefined;
  if (withoutDigits(reasonBefore) === withoutDigits(reason)) return 'holds';
  // An event may overtake the answer to its request, or come of one that is not known: nobody can tell what that asked for.
  const events = new Set([...earlier, latest].filter(isEventFor(caller)).map((record) => idsOf(record).eventId));
  if (events.size > asked.length) return undefined;
  return {
    expected: `the reason that the same verdict had before, ${shown(reasonBefore)}`,
    actual: shown(reason),
    beside: [last],
  };
}

function isEventFor(caller: string | undefined): (record: TraceRecord) => boolean {
  return (record) => record.kind === 'delivery' && record.address?.caller === caller;
}

function isLookup({ endpoint }: ExchangeRecord): boolean {
  return endpoint?.name === 'chave-lookup';
}

const withoutDigits = (text: string): string => text.replaceAll(/\d+/g, '');

/** Whether two verdicts tell the same, but for reason and time: the order of their fields, and fields of a service's own, are free. */
function isSameVerdict(one: object, other: object): boolean {
  return isDeepStrictEqual(withoutReason(one), withoutReason(other));
}

/** What the contract knows of a verdict, but for its reason and its time: fields of a service's own may differ each time. Section 2.4. */
function withoutReason(verdict: object): readonly unknown[] {
  const known = ['chaveAcesso', 'validationStatus', 'status', 'cStat', 'xMotivo', 'dataAutorizacao', 'eventos'];
  const protocolo = member(verdict, 'protocolo');
  const ofProtocolo = ['numero', 'digestValue'].map((name) => member(protocolo, name));
  return [...known.map((name) => member(verdict, name)), (protocolo ?? null) === null, ...ofProtocolo];
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
  ofRecord('nfe-verification.force-revalidate', revalidated),
  ...recordClauses.map((clause) =>
    ofRecord(clause, ({ verdict, record }) => {
      const isKnown = fieldsOfRecord[clause].some((name) => member(record, name) !== undefined);
      // A trace hides people, of whom the control API was told in clear.
      const isShown = fieldsOfRecord[clause].every((name) => !hasStand(member(verdict, name)));
      return isKnown && isShown ? differences(verdict, record, fieldsOfRecord[clause]) : undefined;
    }),
  ),
  { clause: 'verdict-event.reason-stable', of: 'chave', judge: sameReason },
];
