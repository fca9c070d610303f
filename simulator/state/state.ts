import type { DatabaseSync } from 'node:sqlite';
import { openApplications, type ApplicationStore } from './applications.ts';

/** All that a running simulator remembers. */
export interface State {
  readonly applications: ApplicationStore;
  readonly rateWindows: RateWindows;
}

/** The open rate window of each application that has one, by App Key. In memory only: a restart starts afresh. */
export type RateWindows = Map<string, RateWindow>;

export interface RateWindow {
  /** Unix milliseconds on the application's clock. */
  readonly startMs: number;
  /** Requests counted since then. */
  readonly count: number;
}

/** The state that this database keeps, with nothing counted yet. */
export function openState(database: DatabaseSync): State {
  return { applications: openApplications(database), rateWindows: new Map() };
}
