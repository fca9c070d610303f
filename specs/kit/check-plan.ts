import type { ClauseId } from '../../contract/catalogue.ts';
import type { NeedName } from '../../contract/needs.ts';
import type { Run } from '../../targets/address.ts';
import type { PoolName } from './pooled.ts';
import type { TrialRecord } from './trial-record.ts';
import type { Trial } from './trial.ts';

/** A check of one clause: how it is made, apart from any target. */
export interface CheckPlan {
  readonly clause: ClauseId;
  /** The rule in the present tense. */
  readonly title: string;
  readonly needs: readonly NeedName[];
  /** The pool that its requests belong to. */
  readonly pool?: PoolName | undefined;
  /** How many examples it tries on every run, where it has some. */
  readonly examples?: (run: Run) => number;
  /** Makes it once; `cases` counts what it tried. */
  readonly attempt: (trial: Trial, run: Run, record: TrialRecord) => Promise<AttemptAtCheck>;
}

/** What an attempt at a check came to. */
export interface AttemptAtCheck {
  readonly cases: number;
  /** What it failed with, and on which case. */
  readonly failure?: { readonly error: unknown; readonly counterexample?: string; readonly path?: string };
}
