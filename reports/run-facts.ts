import type { LeftBehind } from '../contract/endpoints.ts';
import type { KnownDeviations } from '../contract/catalogue.ts';
import type { Results } from '../schemas/results.ts';

/** What is known of a run besides what its checks came to. */
export interface RunFacts {
  target: Results['target'];
  /** The suite that makes the run. */
  suite: NonNullable<Results['suite']>;
  clock: NonNullable<Results['clock']>;
  /** ISO-8601. */
  startedAt: string;
  durationMs: number;
  seed: number;
  numRuns: number;
  /** Requests sent in the whole run. */
  requests: number;
  /** Requests among them that might have issued an invoice in production. */
  productionIssuances: number;
  /** Whether the target may be sent what might issue for real: what asks for it is withheld otherwise. */
  mayIssueForReal: boolean;
  /** What was left behind at the target. */
  sideEffects: LeftBehind;
  /** The part that was asked for, when that is not everything. */
  filter?: string;
  /** How sure the run was to be of what passes, where that was asked for. */
  bound?: NonNullable<Results['bound']>;
  /** A should or implied clause that does not hold fails the run. */
  strict: boolean;
  /** Deviations that are accepted for now. */
  knownDeviations: KnownDeviations;
}
