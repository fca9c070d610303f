import type { Wrapping } from './reading.ts';

/** A secret, or a part of it, in a text. */
export interface FoundSecret {
  /** The stretch of the text that holds it, in UTF-16 units: from here to before `to`. */
  readonly from: number;
  readonly to: number;
  /** What takes its place. */
  readonly stand: string;
  readonly isWhole: boolean;
  /** Whether it stands there as it is, letter case and all. */
  readonly isExact: boolean;
  /** What it was wrapped in, outermost first. */
  readonly ways: readonly Wrapping[];
}
