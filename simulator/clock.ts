/** The time an application lives in: the system's, or a test clock that stands still at these Unix milliseconds. */
export type Clock = 'system' | number;

/** Unix milliseconds that a clock shows. The system clock is read here and nowhere else. */
export function nowMs(clock: Clock): number {
  return clock === 'system' ? Date.now() : clock;
}
