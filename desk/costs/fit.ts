import { costKinds, sumOfCosts, type Cost, type CostKind } from '../../contract/endpoints.ts';
import type { MeasuredCheck } from '../../runner/plan/costs.ts';
import type { SeenCheck } from './measure.ts';

/** What a check was seen to cost with few cases and with many; with more examples, where manners leave some out. */
export interface Sightings {
  readonly few: readonly SeenCheck[];
  readonly many: readonly SeenCheck[];
  readonly impolite?: SeenCheck;
}

/** What a check costs anyway, by an example and by a generated case, from what it was seen to cost. */
export function fitted(sightings: Sightings): MeasuredCheck {
  const rows = costKinds.map((kind) => [kind, rowOf(kind, sightings)] as const).filter(([, row]) => row.some(Boolean));
  const uses = sightings.few[0]?.uses ?? [];
  return { ...Object.fromEntries(rows), ...(uses.length === 0 ? {} : { uses }) };
}

/** A row without the zeros at its end. */
function rowOf(kind: CostKind, { few, many, impolite }: Sightings): readonly number[] {
  const [a, b] = [meanOf(few, kind), meanOf(many, kind)];
  const aCase = b.generated > a.generated ? (b.cost - a.cost) / (b.generated - a.generated) : undefined;
  // What never varies is shared out among what is tried.
  if (aCase === undefined) return trimmed([0, a.cost / tried(a), a.cost / tried(a)]);
  const besides = a.cost - aCase * a.generated;
  const anExample =
    impolite && impolite.examples > a.examples
      ? (impolite.own[kind] - aCase * impolite.generated - besides) / (impolite.examples - a.examples)
      : 0;
  return trimmed([besides - anExample * a.examples, anExample, aCase]);
}

interface Mean {
  readonly examples: number;
  readonly generated: number;
  readonly cost: number;
}

/** All were tried alike, with one seed or another. */
function meanOf(seen: readonly SeenCheck[], kind: CostKind): Mean {
  const [{ examples, generated } = { examples: 0, generated: 0 }] = seen;
  const sum: Cost = sumOfCosts(seen.map(({ own }) => own));
  return { examples, generated, cost: seen.length === 0 ? 0 : sum[kind] / seen.length };
}

function tried({ examples, generated }: Mean): number {
  return Math.max(1, examples + generated);
}

function trimmed(row: readonly number[]): number[] {
  const rounded = row.map((value) => Math.round(value * 100) / 100);
  return rounded.slice(0, rounded.findLastIndex((value) => value !== 0) + 1);
}
