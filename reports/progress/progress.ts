/** How far a run has come. */
export interface Progress {
  /** What is counted. */
  readonly clauseWord: 'must clause' | 'clause';
  readonly clausesDone: number;
  readonly clausesAll: number;
  /** Clauses that failed so far, and those that only warn; known deviations are in neither. */
  readonly failed: number;
  readonly warned: number;
  readonly requests: number;
  readonly elapsedMs: number;
  /** Absent while it is not known. */
  readonly leftMs?: number;
}
