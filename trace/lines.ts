import { createHmac } from 'node:crypto';
import type { ClauseId } from '../contract/catalogue.ts';
import { calledEndpoint } from '../contract/called-endpoint.ts';
import type { CallerFacts } from '../contract/standing.ts';
import { jsonOf } from '../client/body-text.ts';
import type { BodyEvidence, Evidence } from './evidence.ts';
import { hiddenIds, type Ids } from './ids.ts';
import {
  firstValues,
  joined,
  type Aim,
  type DeliveryContext,
  type SteeringRecord,
  type TraceRecord,
} from './records.ts';
import { isRightlySigned, type SigningFacts } from './signing-facts.ts';

/** What a judge said of a record alone before anything in it was hidden, where of what is shown it would say something else. */
export interface Told {
  readonly clause: ClauseId;
  readonly expected?: string;
  readonly actual?: string;
}

/** What happened, as a line of a trace has it: secrets masked, what is named in it under a key that nobody keeps. */
export type RecordLine = { readonly check: string; readonly told?: readonly Told[] } & (
  | {
      readonly kind: 'exchange' | 'link';
      /** Epoch milliseconds at which the request went out. */
      readonly at: number;
      readonly caller?: CallerFacts;
      readonly now?: number;
      readonly signing?: SigningFacts;
      readonly aim?: Aim;
      readonly address?: string;
      readonly ids: Ids;
      /** No whole answer came that can be read. */
      readonly isPartial?: true;
      readonly evidence: Evidence;
    }
  | {
      readonly kind: 'delivery';
      readonly at: number;
      readonly headerPrefix: string;
      readonly context: DeliveryContext;
      readonly ids: Ids;
      readonly evidence: Evidence;
    }
  | (Omit<SteeringRecord, 'atMs' | 'durationMs'> & { readonly at: number; readonly ms: number })
);

/** What stands for a name in a trace: alike for alike, and nobody can try a guess. */
export function digestUnder(key: string): (text: string) => string {
  return (text) => createHmac('sha256', key).update(text).digest('base64url').slice(0, 10);
}

/** A request without a whole answer, as a line. */
export function partialLine(check: string, isLink: boolean, at: number, evidence: Evidence): RecordLine {
  return { check, kind: isLink ? 'link' : 'exchange', at, ids: {}, isPartial: true, evidence };
}

/** A record as a line, with the evidence that shows of it. */
export function lineOf(
  check: string,
  record: TraceRecord,
  evidence: Evidence,
  digest: (text: string) => string,
): RecordLine {
  if (record.kind === 'steering') {
    const { atMs: at, durationMs: ms, ...done } = record;
    return { check, at, ms, ...done };
  }
  const ids = hiddenIds(record.ids, digest);
  if (record.kind === 'link') return { check, kind: record.kind, at: record.sentAtMs, ids, evidence };
  if (record.kind === 'delivery') {
    const { kind, arrivedAtMs: at, headerPrefix, address, ...rest } = record;
    const { method: _, target: __, headers: ___, body: ____, json: _____, ids: ______, ...known } = rest;
    const context = { ...known, ...(address ? { address: { ...address, name: digest(address.name) } } : {}) };
    return { check, kind, at, headerPrefix, context, ids, evidence };
  }
  const { kind, sentAtMs: at, caller, nowSeconds: now, signing, aim, address } = record;
  return {
    check,
    kind,
    at,
    ...(caller ? { caller } : {}),
    ...(now === undefined ? {} : { now }),
    ...(signing ? { signing } : {}),
    ...(aim ? { aim } : {}),
    ...(address === undefined ? {} : { address: digest(address) }),
    ids,
    evidence,
  };
}

/** The record that a line tells of; `undefined` where no whole message shows in it. */
export function recordOfLine(line: RecordLine): TraceRecord | undefined {
  if (line.kind === 'steering') {
    const { check: _, told: __, at: atMs, ms: durationMs, ...done } = line;
    return { ...done, atMs, durationMs };
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
  if (!response || line.isPartial) return undefined;
  const { status } = response;
  const message = shownMessage(response.headers, response.body);
  if (line.kind === 'link') return { kind: 'link', sentAtMs: line.at, durationMs, status, ...message, ids };
  const called = calledEndpoint(request.method, request.target);
  const { caller, now, signing, aim, address } = line;
  return {
    kind: 'exchange',
    sentAtMs: line.at,
    durationMs,
    method: request.method,
    target: request.target,
    ...(called === undefined ? {} : 'name' in called ? { endpoint: called } : { retired: called }),
    requestHeaders: joined(request.headers),
    requestBody: bytesOf(request.body),
    ...(now === undefined ? {} : { nowSeconds: now }),
    ...(caller ? { caller } : {}),
    ...(signing ? { signing } : {}),
    isRightlySigned: isRightlySigned(signing),
    ...(aim ? { aim } : {}),
    ...(address === undefined ? {} : { address }),
    status,
    ...message,
    ids,
  };
}

function shownMessage(headers: readonly (readonly [string, string])[], shown: BodyEvidence | undefined) {
  const body = bytesOf(shown);
  return { headers: firstValues(headers), body, json: shown?.cut ? undefined : jsonOf({ headers, rawBody: body }) };
}

function bytesOf(shown: BodyEvidence | undefined): Buffer {
  if (!shown) return Buffer.alloc(0);
  return Buffer.from(shown.text, shown.encoding === 'base64' ? 'base64' : 'utf8');
}
