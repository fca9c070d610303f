import type { TaskMeta } from 'vitest';
import { costBy, type Cost, type CostKind } from '../../contract/endpoints.ts';
import type { TargetAddress } from '../../targets/address.ts';
import measured from './costs.json' with { type: 'json' };

/** How the checks of a run call: all as one application, or each as one of its own, which a control API makes. */
export type CallingWay = 'oneApplication' | 'ownApplications';

/** A check that a run would make. */
export interface CollectedCheck {
  readonly id: string;
  /** The name of the run. */
  readonly run: string;
  readonly clause: string;
  /** How much it would try; absent where its needs are not met. */
  readonly tries?: NonNullable<TaskMeta['planned']>;
}

/** What was measured of a check: of each kind what it costs anyway, by an example and by a generated case. */
export type MeasuredCheck = Readonly<Partial<Record<CostKind, readonly number[]>>> & {
  /** What it uses of what all checks share. */
  readonly uses?: readonly string[];
};

/** What checks cost, as `npm run costs` has measured it at the simulator. */
export interface CostTable {
  /** Requests before the first check, besides those that leave something. */
  readonly questions: Readonly<Record<CallingWay, number>>;
  /** What is made once for all checks that share an application, by its name. */
  readonly shares: Readonly<Record<string, Readonly<Partial<Cost>>>>;
  /** By `<clause>: <title>`. */
  readonly checks: Readonly<Record<string, Readonly<Partial<Record<CallingWay, MeasuredCheck>>>>>;
}

/** The table that was measured last. */
export const costTable: CostTable = measured;

/** The way in which the checks of a run call its target. */
export function wayAt({ control }: TargetAddress): CallingWay {
  return control === undefined ? 'oneApplication' : 'ownApplications';
}

/** What a check costs by itself, and what it shares; `undefined` where it was never measured that way. */
export function checkCost(
  { checks }: CostTable,
  { clause, tries }: CollectedCheck,
  way: CallingWay,
): { cost: Cost; uses: readonly string[] } | undefined {
  if (!tries) return { cost: costBy(() => 0), uses: [] };
  const row = checks[keyOf(clause, tries.title)]?.[way];
  if (!row) return undefined;
  const { cases, examples } = tries;
  const cost = costBy((kind) => {
    const [anyway = 0, anExample = 0, aCase = 0] = row[kind] ?? [];
    return anyway + anExample * examples + aCase * (cases - examples);
  });
  return { cost, uses: row.uses ?? [] };
}

/** What a check is called in the table. */
export function keyOf(clause: string, title: string): string {
  return `${clause}: ${title}`;
}
