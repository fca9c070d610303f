import type { CodeName } from '../../contract/codes.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { refuse } from './envelope.ts';
import type { Context, Stage } from './stage.ts';

/** How many requests an application may make, where it has a rate limit. Sections 7.2 and 8. */
export interface RateLimitRules {
  /** Whether a request that has come as far as this stage counts. */
  readonly counts: (request: RequestFacts, context: Context) => boolean;
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

/** Counts a request of an application with a rate limit, over all endpoints, and refuses one above the limit. */
export const rateLimitStage: Stage = {
  name: 'rate-limit',
  answer(request, context) {
    const { rules, application } = context;
    const { counts, isExceeded, code } = rules.rateLimit;
    if (!application?.rateLimit || !counts(request, context)) return undefined;
    const { limit, windowSeconds } = application.rateLimit;
    const count = countInWindow(application.appKey, windowSeconds, context);
    return isExceeded(count, limit) ? refuse(code, request, rules) : undefined;
  },
};

/** Counts one request more; gives the number in its window, this one included. */
function countInWindow(appKey: string, windowSeconds: number, { rules, state, nowMs }: Context): number {
  const { rateWindows } = state;
  const open = rateWindows.get(appKey);
  const isOver = !open || rules.rateLimit.isWindowOver(open.startMs, nowMs, windowSeconds);
  const window = isOver ? { startMs: nowMs, count: 1 } : { ...open, count: open.count + 1 };
  rateWindows.set(appKey, window);
  return window.count;
}
