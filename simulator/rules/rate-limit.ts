import type { CodeName } from '../../contract/values.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Application } from '../model.ts';

/** How many requests an application may make, where it has a rate limit. Sections 7.2 and 8. */
export interface RateLimitRules {
  /** Whether a request that has come as far as this stage counts. */
  readonly counts: (request: RequestFacts, application: Application) => boolean;
  /** Whether the window that opened at `startMs` is over: the next counted request opens another. */
  readonly isWindowOver: (startMs: number, nowMs: number, windowSeconds: number) => boolean;
  /** Whether a request is one too many; it is counted already. */
  readonly isExceeded: (countInWindow: number, limit: number) => boolean;
  readonly code: CodeName;
}

export const rateLimitRules: RateLimitRules = {
  counts: () => true,
  // A window opens with the first request counted in it, so that a burst never falls into two windows.
  // The distance, since the system clock may be set back: that must not keep a window open.
  isWindowOver: (startMs, nowMs, windowSeconds) => Math.abs(nowMs - startMs) >= windowSeconds * 1000,
  isExceeded: (countInWindow, limit) => countInWindow > limit,
  code: 'rateLimited',
};
