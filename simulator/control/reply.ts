import type { Reply } from '../http/reply.ts';
import type { Application } from '../model/application.ts';

/** An error of the control API: one sentence. */
export function controlError(status: number, error: string, headers: Reply['headers'] = {}): Reply {
  return { status, body: { error }, headers };
}

/** The answer about an application that there is none of. */
export const unknownApplication = controlError(404, 'No application has this App Key.');

/** An application as the control API shows it: without its secret. */
export function applicationView(application: Application): object {
  const { appKey, appName, state, integratorState, subscriptions, rateLimit, clock, settleSeconds } = application;
  const shownClock = clock === 'system' ? clock : new Date(clock).toISOString();
  return { appKey, appName, state, integratorState, subscriptions, rateLimit, clock: shownClock, settleSeconds };
}
