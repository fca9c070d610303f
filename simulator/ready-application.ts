import type { ApplicationStore } from './state/applications.ts';

/** An application with the secret to call with. */
export interface ReadyApplication {
  readonly appKey: string;
  readonly appName: string;
  readonly appSecret: string;
}

/** Its own App Key, by which the next start finds it in the data file. */
const appKey = 'app-ready';

/** The application that is kept for people to call with, made when there is none yet: active, subscribed to all, system clock. */
export function readyApplication(applications: ApplicationStore): ReadyApplication {
  const kept = applications.findByKey(appKey);
  const appSecret = applications.secretsOf(appKey).at(-1);
  if (kept && appSecret !== undefined) return { appKey, appName: kept.appName, appSecret };
  const made = applications.create({ appName: 'Ready application' }, appKey);
  return { appKey, appName: made.application.appName, appSecret: made.appSecret };
}
