import { refuse } from '../rules/envelope.ts';
import type { Context, Stage } from './stage.ts';

/** Counts a request of an application with a rate limit, over all endpoints, and refuses one above the limit. */
export const rateLimitStage: Stage = {
  name: 'rate-limit',
  answer(request, context) {
    const { rules, application } = context;
    const { counts, isExceeded, code } = rules.rateLimit;
    if (!application?.rateLimit || !counts(request, application)) return undefined;
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
