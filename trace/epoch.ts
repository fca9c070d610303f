/**
 * Epoch milliseconds to the hundredth, by a clock that is never put back: of two things that happen within one millisecond it
 * is known which was first.
 */
export function epochMs(): number {
  return Math.floor((performance.timeOrigin + performance.now()) * 100) / 100;
}
