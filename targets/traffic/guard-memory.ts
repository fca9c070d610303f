/** Shared memory of a guard, as its parts see it. */
export interface GuardMemory {
  readonly counts: Int32Array;
  /** Unix milliseconds. */
  readonly times: BigInt64Array;
  readonly text: Uint8Array;
}

/** Kinds of things that are waited for have so many slots beside each other. */
const kinds = 4;
/** Outages whose start is kept: the last ones. */
export const mostOutages = 8;

/** Places of a target whose late answers are counted apart. */
export const mostPlaces = 32;

/** Where each number stands among the counts. */
export const countAt = {
  haltState: 0,
  haltBytes: 1,
  outages: 2,
  limited: 3,
  limitedRateTenths: 4,
  patienceMs: 5,
  spacingMicros: 6,
  servedBefore: 7,
  answers: 8,
  answersMs: 9,
  fastestAnswerMs: 10,
  waitedInVainMs: 11,
  missedInARow: 12,
  fullWaitsMissed: 12 + kinds,
  slowestAnswerMs: 12 + 2 * kinds,
  promisesMissed: 13 + 2 * kinds,
  lateAnswers: 13 + 3 * kinds,
  relapses: 13 + 3 * kinds + mostPlaces,
  pendingMs: 14 + 3 * kinds + mostPlaces,
  excusesSought: 15 + 3 * kinds + mostPlaces,
  cameInTurnMs: 16 + 3 * kinds + mostPlaces,
  settlementMs: 17 + 3 * kinds + mostPlaces,
} as const;

/** Where each time stands among the times. */
export const timeAt = { halt: 0, gone: 1, cycle: 2, quiet: 3, outages: 4 } as const;

const countBytes = 256;
const timeBytes = (timeAt.outages + mostOutages) * BigInt64Array.BYTES_PER_ELEMENT;
const textBytes = 1024;

/** Bytes that a guard takes; they begin at a multiple of 8. */
export const guardBytes = countBytes + timeBytes + textBytes;

/** The memory of the guard that begins there. */
export function guardMemory(memory: SharedArrayBuffer, offset: number): GuardMemory {
  return {
    counts: new Int32Array(memory, offset, countBytes / Int32Array.BYTES_PER_ELEMENT),
    times: new BigInt64Array(memory, offset + countBytes, timeBytes / BigInt64Array.BYTES_PER_ELEMENT),
    text: new Uint8Array(memory, offset + countBytes + timeBytes, textBytes),
  };
}
