import type { Markup } from './markup.ts';

/** How many bytes of evidence a page may still hold. */
export interface Allowance {
  /** Whether a piece still fits; one that does is counted. */
  readonly take: (piece: Markup) => boolean;
  /** Whether nothing more fits, not even the frame of a list. */
  readonly isSpent: () => boolean;
}

/** Below this not even a small exchange fits. */
const smallestPiece = 600;

/** An allowance of so many bytes of UTF-8. */
export function allowanceOf(bytes: number): Allowance {
  let left = bytes;
  return {
    take(piece) {
      const size = Buffer.byteLength(piece.html);
      const fits = size <= left;
      // What comes after a piece that did not fit is left out as well, so that what is shown is a whole beginning.
      left = fits ? left - size : 0;
      return fits;
    },
    isSpent: () => left < smallestPiece,
  };
}
