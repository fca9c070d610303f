/** Tells where the time of a run went. */
export interface Stopwatch {
  /** ISO time of the start. */
  readonly startedAt: string;
  totalMs(): number;
  /** Ends a phase. */
  lap(phase: string): void;
  /** The phases in a line. */
  line(): string;
}

/** A stopwatch that runs from now on. */
export function stopwatch(): Stopwatch {
  const startedAt = new Date().toISOString();
  const startMs = performance.now();
  let lapMs = startMs;
  const laps: string[] = [];
  return {
    startedAt,
    totalMs: () => Math.round(performance.now() - startMs),
    lap(phase) {
      const now = performance.now();
      laps.push(`${phase} ${seconds(now - lapMs)}`);
      lapMs = now;
    },
    line: () => `Time: ${seconds(performance.now() - startMs)} in all; ${laps.join(', ')}`,
  };
}

/** Milliseconds as seconds with two digits. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
