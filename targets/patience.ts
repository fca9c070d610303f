import { answerMs } from './traffic/transport.ts';

/** How long a run waits for what goes wrong to end, in milliseconds. */
export interface Patience {
  /** For the whole answer to a request. */
  readonly answerMs: number;
  /** For the answer to the twin of a request that met trouble. */
  readonly twinMs: number;
  /** For the answer to an echo that only asks whether the target is there again. */
  readonly pingMs: number;
  readonly betweenPingsMs: number;
  /** For a target that is gone to come back, from the moment that it was found gone; then the run has lost it. */
  readonly goneMs: number;
  /** For a limit on the rate that nobody asked for, in the whole run: the minute that many limits last, and a half. */
  readonly limitMs: number;
}

/** What a run has where nothing else is said. */
export const usualPatience: Patience = {
  answerMs,
  twinMs: 3_000,
  pingMs: 2_000,
  betweenPingsMs: 500,
  goneMs: 7_000,
  limitMs: 90_000,
};
