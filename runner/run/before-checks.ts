import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from '../../trace/exchange.ts';
import type { Origin } from '../../contract/request.ts';
import { lineOfHeld, toldBy, type Held } from '../../judge/held-line.ts';
import { observationsOf } from '../../judge/judge.ts';
import type { TargetAddress, TracePlace } from '../../targets/address.ts';
import { learningOf, maskAt, peopleAt, withoutPeople } from '../../targets/mask.ts';
import { callerFacts } from '../../targets/applications.ts';
import type { TargetListener } from '../../targets/target.ts';
import { messagesOf } from '../../trace/evidence.ts';
import { beforeChecks, digestUnder } from '../../trace/lines.ts';
import { allowanceOf } from '../../trace/people/memory.ts';
import { exchangeRecord, type SteeringRecord } from '../../trace/records.ts';

/** Bytes of a message that a trace keeps of what came before the checks: what is longer is no answer of the contract's. */
const longestKept = 16_000;

/** What was sent to a target, and done to it, before its first check. */
export interface BeforeChecks {
  readonly listener: TargetListener;
  /** Writes it among the parts of a trace, so that a judge sees it with all that follows. */
  write(place: TracePlace, known: KnownBefore): void;
}

/** What is known once a target was examined. */
interface KnownBefore {
  readonly address: TargetAddress;
  readonly secrets: ReadonlyMap<string, string>;
  /** Secret of the application that asked. */
  readonly appSecret: string | undefined;
}

/** Listens to what happens before the checks. */
export function openBeforeChecks(): BeforeChecks {
  const exchanges: Exchange[] = [];
  const steerings: SteeringRecord[] = [];
  return {
    listener: {
      exchange: (exchange) => void exchanges.push(exchange),
      steering: (record) => void steerings.push(record),
      delivery: () => undefined,
    },
    write({ directory, key }, known) {
      const asker = askerOf(known, steerings);
      const held = [...exchanges.map((exchange) => heldExchange(exchange, asker)), ...steerings.map(heldSteering)];
      const written = { ...hidingOf(exchanges, known), digest: digestUnder(key) };
      const lines = held.filter((one) => one !== undefined).map((one) => JSON.stringify(lineOfHeld(one, written)));
      writeFileSync(join(directory, 'before.ndjson'), lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    },
  };
}

const place = { check: beforeChecks, case: 1 } as const;

function heldSteering(record: SteeringRecord): Held {
  const evidence = { request: { method: '', target: '', headers: [] }, durationMs: 0 };
  return { place, record, told: [], evidence: () => evidence, at: record.atMs };
}

function heldExchange(exchange: Exchange, asker: Asker | undefined): Held | undefined {
  const { request, response, sentAtMs: at = 0 } = exchange;
  const bytes = Math.max(request.rawBody?.length ?? 0, response?.rawBody.length ?? 0);
  if (bytes > longestKept) return undefined;
  const record = exchangeRecord({ ...exchange, request: { ...request, ...originIn(exchange, asker) } });
  const evidence: Held['evidence'] = (veil) => messagesOf(exchange, veil, longestKept);
  return { place, record, told: record ? toldBy(observationsOf(record)) : [], evidence, at };
}

/** Who sent a request before it was known by which clock: told afterwards, where it is the application that may call everything. */
function originIn({ request, sentAtMs }: Exchange, asker: Asker | undefined): { readonly origin?: Origin } {
  if (request.origin || asker === undefined || sentAtMs === undefined || request.parts.token !== asker.appSecret)
    return {};
  const nowSeconds = Math.floor(sentAtMs / 1000 + asker.skewSeconds);
  const caller = callerFacts({ ...asker, now: () => nowSeconds });
  return { origin: { appSecret: asker.appSecret, nowSeconds, madeAtMs: sentAtMs, caller } };
}

/** The application that asked before the checks, and the target's clock minus ours. */
interface Asker {
  readonly appSecret: string;
  readonly appKey?: string;
  readonly isMade?: true;
  readonly skewSeconds: number;
}

/** Who asked; `undefined` where it is not known, or not by which clock. */
function askerOf({ appSecret, address }: KnownBefore, steerings: readonly SteeringRecord[]): Asker | undefined {
  const { kind, knownSkewSeconds, clockSkewSeconds: skewSeconds, control, credentials } = address;
  const isClockKnown = knownSkewSeconds !== undefined || kind === 'embedded';
  const made = steerings.find(({ method, path }) => method === 'POST' && path === '/applications')?.application;
  const appKey = control ? made : credentials.appKey;
  if (appSecret === undefined || !isClockKnown || (control && made === undefined)) return undefined;
  return { appSecret, skewSeconds, ...(appKey === undefined ? {} : { appKey }), ...(control ? { isMade: true } : {}) };
}

/** Hides what no report of that target may show. */
function hidingOf(exchanges: readonly Exchange[], { address, secrets }: KnownBefore) {
  const people = peopleAt(address);
  const all = new Map(secrets);
  const learning = learningOf(people, all);
  for (const exchange of exchanges) learning.exchange(exchange);
  const tokens = new Set(exchanges.map(({ request }) => request.parts.token));
  const mask = maskAt(address, all, { tokens });
  const allowance = people ? { allowance: allowanceOf(people, [...all.values()]) } : {};
  return { veil: { mask, ...allowance }, maskFinding: withoutPeople(mask, people) };
}
