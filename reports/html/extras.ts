import type { HistoryLine, MutantsRecord } from '../../schemas/stored.ts';
import type { Results } from '../../schemas/results.ts';
import type { Say } from '../language.ts';

/** What a page tells besides the results of its run; what is absent is not told. */
export interface PageExtras {
  /** An earlier run to compare with. */
  readonly baseline?: Results;
  /** Earlier runs, in any order; this one may be one of them. */
  readonly history?: readonly HistoryLine[];
  /** What the last run of the mutants came to; `unreadable` where its record is of another format. */
  readonly mutants?: MutantsRecord | 'unreadable';
  /** Puts what the suite says in English into Portuguese; without it that stays as it is. */
  readonly inPortuguese?: Say;
  /** The page's own script; without it the page shows everything and neither filters nor folds. */
  readonly script?: string;
  /** How many secrets the run knows: each was sought in this page, however it is written, and replaced where it was found. */
  readonly secretsSought?: number;
}
