import { createHmac } from 'node:crypto';
import type { ClauseId } from '../contract/catalogue.ts';
import type { CallerFacts } from '../contract/request.ts';
import { jsonOf } from './exchange.ts';
import type { BodyEvidence, Evidence } from '../schemas/evidence.ts';
import { hiddenIds, type Ids } from './ids.ts';
import {
  calledBy,
  firstValues,
  joined,
  type Aim,
  type AwaitedRecord,
  type DeliveryContext,
  type SteeringRecord,
  type TraceRecord,
} from './records.ts';
import { isRightlySigned, type SigningFacts } from './signing.ts';

/** What a judge said of a record alone before anything in it was hidden, where of what is shown it would say something else. */
export interface JudgedBeforeMask {
  readonly clause: ClauseId;
  readonly expected?: string;
  readonly actual?: string;
}

/** In the place of a check: what a run sends before the first one. */
export const beforeChecks = 'before the checks';

/** The check that something belongs to, and which of its cases: the first is 1, and a repetition counts on. */
export interface CaseOfCheck {
  readonly check: string;
  readonly case: number;
}

interface LineOfMessage extends CaseOfCheck {
  /** Epoch milliseconds at which it went out, or came. */
  readonly at: number;
  readonly ids: Ids;
  readonly told?: readonly JudgedBeforeMask[];
  readonly evidence: Evidence;
}

/** A request of the suite with its answer, or a link to a document that it followed. */
export interface CallLine extends LineOfMessage {
  readonly kind: 'exchange' | 'link';
  readonly caller?: CallerFacts | undefined;
  readonly now?: number | undefined;
  readonly signing?: SigningFacts | undefined;
  readonly aim?: Aim | undefined;
  readonly isResent?: true | undefined;
  readonly isOfBurst?: true | undefined;
  readonly address?: string | undefined;
  readonly connection?: number | undefined;
  /** No whole answer came that can be read. */
  readonly isPartial?: true;
  /** None came at all, since the connection broke. */
  readonly isLost?: true;
}

export interface DeliveryLine extends LineOfMessage {
  readonly kind: 'delivery';
  readonly headerPrefix: string;
  readonly context: DeliveryContext;
}

export interface SteeringLine extends CaseOfCheck, Omit<SteeringRecord, 'atMs' | 'durationMs'> {
  readonly at: number;
  readonly ms: number;
}

interface AwaitedLine extends CaseOfCheck, Omit<AwaitedRecord, 'atMs'> {
  readonly at: number;
}

/** Whether a line holds a message, as evidence. */
export function isOfMessage(line: RecordLine): line is CallLine | DeliveryLine {
  return line.kind !== 'steering' && line.kind !== 'awaited';
}

/** What happened, as a line of a trace has it: secrets masked, what is named in it under a key that nobody keeps. */
export type RecordLine = CallLine | DeliveryLine | SteeringLine | AwaitedLine;

/** What stands for a name in a trace: alike for alike, and nobody can try a guess. */
export function digestUnder(key: string): (text: string) => string {
  return (text) => createHmac('sha256', key).update(text).digest('base64url').slice(0, 10);
}

/** A request without a whole answer, as a line. */
export function partialLine(place: CaseOfCheck, isLink: boolean, at: number, evidence: Evidence): CallLine {
  return { ...place, kind: isLink ? 'link' : 'exchange', at, ids: {}, isPartial: true, evidence };
}

/** A record as a line, with the evidence that shows of it. */
export function lineOf(
  place: CaseOfCheck,
  record: TraceRecord,
  evidence: Evidence,
  digest: (text: string) => string,
): RecordLine {
  if (record.kind === 'steering') {
    const { atMs: at, durationMs: ms, ...done } = record;
    return { ...place, at, ms, ...done, ids: hiddenIds(record.ids, digest) };
  }
  if (record.kind === 'awaited') {
    const { atMs: at, ...noted } = record;
    return { ...place, at, ...noted };
  }
  if (record.kind === 'lost') {
    const { sentAtMs: at, aim, isOfBurst } = record;
    return { ...partialLine(place, false, at, evidence), aim, isOfBurst, isLost: true };
  }
  const ids = hiddenIds(record.ids, digest);
  if (record.kind === 'link') return { ...place, kind: record.kind, at: record.sentAtMs, ids, evidence };
  if (record.kind === 'delivery') {
    const { kind, arrivedAtMs: at, headerPrefix, address, ...rest } = record;
    const { method: _, target: __, headers: ___, body: ____, json: _____, ids: ______, ...known } = rest;
    const context = { ...known, ...(address ? { address: { ...address, name: digest(address.name) } } : {}) };
    return { ...place, kind, at, headerPrefix, context, ids, evidence };
  }
  const { kind, sentAtMs: at, caller, nowSeconds: now, signing, aim, isResent, isOfBurst, connection } = record;
  const address = record.address === undefined ? undefined : digest(record.address);
  return { ...place, kind, at, caller, now, signing, aim, isResent, isOfBurst, connection, address, ids, evidence };
}

/** The record that a line tells of; `undefined` where no whole message shows in it. */
export function recordOfLine(line: RecordLine): TraceRecord | undefined {
  if (line.kind === 'steering') {
    const { check: _check, case: _case, at: atMs, ms: durationMs, ...done } = line;
    return { ...done, atMs, durationMs };
  }
  if (line.kind === 'awaited') {
    const { check: _check, case: _case, at: atMs, ...noted } = line;
    return { ...noted, atMs };
  }
  const { evidence, ids } = line;
  const { request, response, durationMs } = evidence;
  if (line.kind === 'delivery') {
    const { at: arrivedAtMs, headerPrefix, context } = line;
    const { method, target, headers } = request;
    return {
      kind: 'delivery',
      method,
      target,
      headerPrefix,
      arrivedAtMs,
      ...context,
      ...shownMessage(headers, request.body),
      ids,
    };
  }
  if (line.isLost) {
    const { at: sentAtMs, aim, isOfBurst } = line;
    return { kind: 'lost', sentAtMs, durationMs, ...calledBy(request.method, request.target), aim, isOfBurst };
  }
  if (!response || line.isPartial) return undefined;
  const { status } = response;
  const message = shownMessage(response.headers, response.body);
  if (line.kind === 'link') return { kind: 'link', sentAtMs: line.at, durationMs, status, ...message, ids };
  const { caller, now, signing, aim, isResent, isOfBurst, connection, address } = line;
  return {
    kind: 'exchange',
    sentAtMs: line.at,
    durationMs,
    method: request.method,
    target: request.target,
    ...calledBy(request.method, request.target),
    requestHeaders: joined(request.headers),
    requestBody: bytesOf(request.body),
    nowSeconds: now,
    caller,
    signing,
    isRightlySigned: isRightlySigned(signing),
    aim,
    isResent,
    isOfBurst,
    connection,
    address,
    status,
    ...message,
    ids,
  };
}

/** Whether a line shows all of what came and of the body that was sent as it was, so that whoever judges the line judges the record. */
export function isShownWhole(
  { evidence: { request, response } }: CallLine | DeliveryLine,
  record: TraceRecord,
): boolean {
  if (record.kind === 'steering' || record.kind === 'awaited' || record.kind === 'lost') return true;
  const came = record.kind === 'delivery' ? request : response;
  if (!came || !isShown(came.body, record.body) || !areShown(came.headers, record.headers)) return false;
  return record.kind !== 'exchange' || (request.target === record.target && isShown(request.body, record.requestBody));
}

function isShown(shown: BodyEvidence | undefined, body: Buffer): boolean {
  if (!shown) return body.length === 0;
  return !shown.cut && shown.bytes === body.length && bytesOf(shown).equals(body);
}

function areShown(shown: readonly (readonly [string, string])[], headers: ReadonlyMap<string, string>): boolean {
  const values = firstValues(shown);
  return values.size === headers.size && [...values].every(([name, value]) => headers.get(name) === value);
}

function shownMessage(headers: readonly (readonly [string, string])[], shown: BodyEvidence | undefined) {
  const body = bytesOf(shown);
  return { headers: firstValues(headers), body, json: shown?.cut ? undefined : jsonOf({ headers, rawBody: body }) };
}

function bytesOf(shown: BodyEvidence | undefined): Buffer {
  if (!shown) return Buffer.alloc(0);
  return Buffer.from(shown.text, shown.encoding === 'base64' ? 'base64' : 'utf8');
}

/** When what a line tells was complete: its place in the order of things. Epoch milliseconds. */
export function completeAt(line: RecordLine): number {
  if (isOfMessage(line)) return line.at + line.evidence.durationMs;
  return line.kind === 'steering' ? line.at + line.ms : line.at;
}
