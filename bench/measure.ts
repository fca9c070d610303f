/** One line of the table: what was measured, against a limit of the same run. */
export interface Row {
  readonly what: string;
  /** In the unit of the row, as is the limit. */
  readonly measured: number;
  /** What nobody can do better than; absent where the goal is a number by itself. */
  readonly limit?: number;
  readonly unit: string;
  /** What the goal is about: measured against the limit, or what was measured where there is none. */
  readonly ratio: number;
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number };
}

/** Whether a row reaches its goal; `undefined` where it has none. */
export function isReached({ ratio, goal }: Row): boolean | undefined {
  if (!goal) return undefined;
  return 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = low] = [
    sorted[Math.ceil(sorted.length / 2) - 1],
    sorted[Math.floor(sorted.length / 2)],
  ];
  return (low + high) / 2;
}

/** Measures the two by turns, so that what else the machine does falls on both, and gives the medians, and that of the ratios. */
export async function byTurns(
  pairs: number,
  one: () => Promise<number> | number,
  other: () => Promise<number> | number,
): Promise<{ readonly one: number; readonly other: number; readonly ratio: number }> {
  const seen: [number, number][] = [];
  // Once unseen: by then the code is compiled.
  await one();
  await other();
  for (let pair = 0; pair < pairs; pair++) seen.push([await one(), await other()]);
  return {
    one: median(seen.map(([first]) => first)),
    other: median(seen.map(([, second]) => second)),
    ratio: median(seen.map(([first, second]) => first / second)),
  };
}

/** Processor time of this process for that work, in milliseconds: however busy the machine is, it is the same. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The rows as a table. */
export function tableText(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    `${short(row.measured)} ${row.unit}`,
    row.limit === undefined ? '' : `${short(row.limit)} ${row.unit}`,
    short(row.ratio),
    goalText(row),
  ]);
  const all = [['', 'measured', 'limit', 'ratio', 'goal'], ...cells];
  const widths = all[0]?.map((_, at) => Math.max(...all.map((line) => line[at]?.length ?? 0))) ?? [];
  const lines = all.map((line) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))),
  );
  return lines.map((line) => line.join('  ').trimEnd()).join('\n');
}

function goalText(row: Row): string {
  if (!row.goal) return '';
  const bound = 'atLeast' in row.goal ? `>= ${row.goal.atLeast}` : `<= ${row.goal.atMost}`;
  return `${bound} ${isReached(row) ? 'reached' : 'MISSED'}`;
}

function short(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
