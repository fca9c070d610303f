import type { NeedName } from './needs.ts';

/** How firmly the contract says it: it states it, recommends it, or only an order or example there suggests it. */
export const levels = ['must', 'should', 'implied'] as const;

export type Level = (typeof levels)[number];

/** Whom a clause binds. Only the service's clauses are judged by a run against a target. */
export type Party = 'service' | 'receiver' | 'client';

/** One sentence of the contract that can be broken alone, in our own words. */
export interface Clause {
  /** `<topic>.<what>`; pinned, never used again for something else. */
  readonly id: string;
  /** The section of the contract that says it. */
  readonly section: string;
  readonly level: Level;
  readonly binds: Party;
  readonly statement: string;
  /** What every check of it needs of the target; a check may need more. */
  readonly needs?: readonly NeedName[];
  /** What its checks need that go another way, in place of `needs`. */
  readonly needsInstead?: readonly NeedName[];
  /**
   * The clauses that it stands on, by their ids: where a target breaks one of these, nothing can be told of this one, or its check
   * fails for that alone. What those stand on in turn is left out.
   */
  readonly buildsOn?: readonly string[];
  /** Why no black box can observe it; a clause that has this has no checks. */
  readonly unobservable?: string;
}
