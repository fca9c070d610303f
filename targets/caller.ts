import type { CallerFacts, Standing } from '../contract/standing.ts';

/** An application as its integrator sees it: what a check calls the target with. */
export interface Caller {
  readonly appSecret: string;
  /** Known where a control API or the settings tell it. */
  readonly appKey?: string;
  readonly appName?: string;
  /** What it is like; absent where it is active and may call everything. */
  readonly standing?: Standing;
  readonly hasOwnClock?: true;
  /** Whether the control API made it. */
  readonly isMade?: true;
  /** Unix seconds of the clock by which the target judges this caller. */
  now(): number;
}

/** A caller whose clock stands still until it is moved. */
export interface ClockedCaller extends Caller {
  /** Moves the clock; with `none` without waiting for the attempts that this starts. */
  advance(seconds: number, wait?: 'attempts' | 'none'): Promise<void>;
}

/** Who a caller is, as a record tells it; one that no setting names goes by its place. */
export function callerFacts({ appKey, standing = {}, hasOwnClock, isMade }: Caller): CallerFacts {
  const { state, integratorState, subscriptions, rateLimit } = standing;
  return {
    name: appKey ?? (Object.keys(standing).length === 0 ? 'NFE_APP_SECRET' : JSON.stringify(standing)),
    standing: {
      ...(state === undefined ? {} : { state }),
      ...(integratorState === undefined ? {} : { integratorState }),
      ...(subscriptions === undefined ? {} : { subscriptions }),
      ...(rateLimit === undefined ? {} : { rateLimit }),
    },
    ...(isMade ? { isMade } : {}),
    ...(hasOwnClock ? { hasOwnClock } : {}),
  };
}
