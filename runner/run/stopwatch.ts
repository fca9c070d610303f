/** Tells where the time of a run went. */
export interface Stopwatch {
  /** ISO time of the start. */
  readonly startedAt: string;
  totalMs(): number;
  /** Ends a phase; parts, where known, are milliseconds by name. */
  lap(phase: string, parts?: ReadonlyMap<string, number>): void;
  /** The phases in a line, the parts of each in a line below. */
  lines(): string[];
}

/** A stopwatch that runs from now on. */
export function stopwatch(): Stopwatch {
  const startedAt = new Date().toISOString();
  const startMs = performance.now();
  let lapMs = startMs;
  const laps: { phase: string; ms: number; parts: ReadonlyMap<string, number> }[] = [];
  return {
    startedAt,
    totalMs: () => Math.round(performance.now() - startMs),
    lap(phase, parts = new Map()) {
      const now = performance.now();
      laps.push({ phase, ms: now - lapMs, parts });
      lapMs = now;
    },
    lines() {
      const total = `Time: ${seconds(performance.now() - startMs)} in all; ${laps
        .map(({ phase, ms }) => `${phase} ${seconds(ms)}`)
        .join(', ')}`;
      const parts = laps.flatMap((lap) => [...lap.parts].sort(([, a], [, b]) => b - a));
      return parts.length === 0
        ? [total]
        : [total, `  ${parts.map(([name, ms]) => `${name} ${seconds(ms)}`).join(', ')}`];
    },
  };
}

/** Milliseconds as seconds with two digits. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
