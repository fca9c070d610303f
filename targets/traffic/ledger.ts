import { setTimeout as sleep } from 'node:timers/promises';
import { leftBehind, type Cost, sideEffects, type SideEffect } from '../../contract/endpoints.ts';
import { guardBytes } from './guard-memory.ts';
import { type Stray, strayKinds } from '../receiver/receiver.ts';
import { openGuard, type Guard } from './guard.ts';

/** What everybody who sends requests in a run shares, though they may be threads: how much went out and when the next may. */
export interface Ledger {
  /** Waits for its turn, unless told not to, and counts the request; `false`, and not counted, once the budget is spent. */
  take(isPaced?: boolean): Promise<boolean>;
  /** Requests counted so far. */
  sent(): number;
  /** Counts a request that asks for an invoice in production. */
  countProduction(): void;
  productions(): number;
  /** Counts a request that no service answered: nothing came, or what stands in the way answers as well. */
  countUnanswered(): void;
  unanswered(): number;
  /** Notes that the App Secret of the run was refused with that code, or, with 0, that a request with it succeeded. */
  noteStanding(code: number): void;
  /** Since when, and in how many requests, it was refused without one that succeeded. */
  refused(): Refused | undefined;
  /** Counts what an accepted request has left behind at the target. */
  countLeft(what: SideEffect): void;
  left(what: SideEffect): number;
  /** Notes whether the target was there for the last check, and how many checks in a row it was not. */
  noteAvailable(isAvailable: boolean): void;
  unavailableInARow(): number;
  /** Notes that a webhook delivery has arrived, so that the receiver is known to be within reach of the target. */
  noteArrival(): void;
  arrivals(): number;
  /** Notes what came to a receiver in place of a delivery. */
  noteStray(stray: Stray): void;
  /** The first of them. */
  stray(): Stray | undefined;
  /** Takes the diagnosis that a run may make of requests of that kind; `false` once it is taken. */
  takeDiagnosis(kind: DiagnosedKind): boolean;
  /** Takes one of so many requests that a run may make besides, to see which node breaks a rule; `false` once they are gone. */
  takeAgain(most: number): boolean;
  /** How many of them were asked for. */
  takenAgain(): number;
  /** What goes wrong in the middle of the run. */
  readonly guard: Guard;
}

/** That an App Secret is refused. */
export interface Refused {
  /** Of the first refusal. */
  readonly code: number;
  readonly requests: number;
  readonly sinceSeconds: number;
}

/** Kinds of requests by what of them is signed: a wrong way to sign may show in one of them only. */
export const diagnosedKinds = ['bare', 'json', 'xml', 'multipart', 'other'] as const;

export type DiagnosedKind = (typeof diagnosedKinds)[number];

/** Ceilings that a ledger keeps to. */
export interface TrafficLimits {
  /** Most requests a second, evenly spaced; 0: no ceiling. */
  readonly maxRps: number;
  /** Most requests in all; 0: no ceiling. */
  readonly budget: number;
}

const sentAt = 0;
const unavailableAt = 1;
const productionsAt = 2;
const arrivalsAt = 3;
const diagnosesAt = 4;
const leftAt = diagnosesAt + diagnosedKinds.length;
const againAt = leftAt + sideEffects.length;
const strayAt = againAt + 1;
const unansweredAt = strayAt + 1;
const refusedAt = unansweredAt + 1;
const refusedCodeAt = refusedAt + 1;
const refusedSinceAt = refusedCodeAt + 1;
const counterCount = refusedSinceAt + 1;
/** Where the time of the next turn stands: after the counters, aligned to 8 bytes. */
const turnOffset = Math.ceil((counterCount * Int32Array.BYTES_PER_ELEMENT) / 8) * 8;
const guardOffset = turnOffset + BigInt64Array.BYTES_PER_ELEMENT;

/** Memory for a ledger; threads that are given the same memory share one ledger. */
export function ledgerMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(guardOffset + guardBytes);
}

/** The ledger in that memory. */
export function openLedger(memory: SharedArrayBuffer, limits: TrafficLimits): Ledger {
  const counters = new Int32Array(memory, 0, counterCount);
  const turn = new BigInt64Array(memory, turnOffset, 1);
  const guard = openGuard(memory, guardOffset);
  return {
    guard,
    async take(isPaced = true) {
      if (limits.budget > 0 && Atomics.load(counters, sentAt) >= limits.budget) return false;
      Atomics.add(counters, sentAt, 1);
      const spacing = Math.max(spacingOf(limits), guard.pace.spacingMicros(Atomics.load(counters, sentAt)));
      if (isPaced && spacing > 0) await sleep(takeTurn(turn, spacing));
      return true;
    },
    sent: () => Atomics.load(counters, sentAt),
    countProduction: () => void Atomics.add(counters, productionsAt, 1),
    productions: () => Atomics.load(counters, productionsAt),
    countUnanswered: () => void Atomics.add(counters, unansweredAt, 1),
    unanswered: () => Atomics.load(counters, unansweredAt),
    noteStanding(code) {
      if (code === 0) return void Atomics.store(counters, refusedAt, 0);
      if (Atomics.add(counters, refusedAt, 1) > 0) return;
      Atomics.store(counters, refusedCodeAt, code);
      Atomics.store(counters, refusedSinceAt, Math.floor(Date.now() / 1000));
    },
    refused() {
      const [requests = 0, code = 0, sinceSeconds = 0] = [refusedAt, refusedCodeAt, refusedSinceAt].map((at) =>
        Atomics.load(counters, at),
      );
      return requests === 0 ? undefined : { code, requests, sinceSeconds };
    },
    countLeft: (what) => void Atomics.add(counters, leftAt + sideEffects.indexOf(what), 1),
    left: (what) => Atomics.load(counters, leftAt + sideEffects.indexOf(what)),
    noteAvailable: (isAvailable) =>
      void (isAvailable ? Atomics.store(counters, unavailableAt, 0) : Atomics.add(counters, unavailableAt, 1)),
    unavailableInARow: () => Atomics.load(counters, unavailableAt),
    noteArrival: () => void Atomics.add(counters, arrivalsAt, 1),
    arrivals: () => Atomics.load(counters, arrivalsAt),
    noteStray: (stray) => void Atomics.compareExchange(counters, strayAt, 0, strayKinds.indexOf(stray) + 1),
    stray: () => strayKinds[Atomics.load(counters, strayAt) - 1],
    takenAgain: () => Atomics.load(counters, againAt),
    takeAgain: (most) => Atomics.add(counters, againAt, 1) < most,
    takeDiagnosis: (kind) => Atomics.exchange(counters, diagnosesAt + diagnosedKinds.indexOf(kind), 1) === 0,
  };
}

/** What all who share a ledger have sent, and left behind. */
export function spentSoFar(ledger: Ledger): Cost {
  return { requests: ledger.sent(), ...leftBehind((what) => ledger.left(what)) };
}

/** Microseconds between two requests at the ceiling; 0 where there is none. */
function spacingOf({ maxRps }: TrafficLimits): number {
  return maxRps > 0 ? Math.round(1_000_000 / maxRps) : 0;
}

/** Takes the next free turn; gives the milliseconds until it comes. Turns are kept in microseconds of Unix time. */
function takeTurn(turn: BigInt64Array, spacingMicros: number): number {
  const interval = BigInt(spacingMicros);
  for (;;) {
    const now = BigInt(Date.now()) * 1000n;
    const planned = Atomics.load(turn, 0);
    const mine = planned > now ? planned : now;
    if (Atomics.compareExchange(turn, 0, planned, mine + interval) === planned) return Number(mine - now) / 1000;
  }
}
