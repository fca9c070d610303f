import { hash } from 'node:crypto';
import { topicOf } from '../../contract/catalogue.ts';
import type { Mutant } from '../../mutants/mutant.ts';
import type { RecordLine } from '../../trace/lines.ts';
import { curveOf, shareAt, type CurvePoint, type OrderedChecks } from './curve.ts';
import type { Lesson } from './lessons.ts';
import { tellingOrder } from './order.ts';

/** Ways to put mutants into two parts, of which one teaches and the other is looked for. */
const splits = {
  'half of the mutants, by lot': ({ id }) => partOf(id),
  'half of the topics': ({ breaks: [clause] }) => partOf(clause ? topicOf(clause) : ''),
} as const satisfies Record<string, (mutant: Mutant) => 0 | 1>;

function partOf(name: string): 0 | 1 {
  return (hash('sha256', name, 'buffer')[0] ?? 0) % 2 === 0 ? 0 : 1;
}

/** What an order was made from. */
export interface Learnt {
  readonly lines: readonly RecordLine[];
  readonly mutants: readonly Mutant[];
  readonly lessons: readonly Lesson[];
}

/** By clause, how many of these mutants break it. */
export function weightsOf(mutants: readonly Mutant[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const clause of mutants.flatMap(({ breaks }) => breaks)) weights.set(clause, (weights.get(clause) ?? 0) + 1);
  return weights;
}

/** The curves of two orders, each made from one part of the mutants and held against the other. */
export function heldOutCurves(
  { lines, mutants, lessons }: Learnt,
  split: keyof typeof splits,
): (readonly CurvePoint[])[] {
  const part = splits[split];
  return ([0, 1] as const).map((own) => {
    const teachers = mutants.filter((mutant) => part(mutant) === own);
    const ids = new Set(teachers.map(({ id }) => id));
    const taught = lessons.filter(({ server }) => ids.has(server));
    const order = tellingOrder(lines, { weights: weightsOf(teachers), lessons: taught });
    return curveOf(
      order,
      lessons.filter(({ server }) => !ids.has(server)),
    );
  });
}

const draws = 40;

/** The curves of the same checks in an order that is drawn by lot. */
export function randomCurves(checks: OrderedChecks, lessons: readonly Lesson[]): (readonly CurvePoint[])[] {
  return Array.from({ length: draws }, (_, draw) =>
    curveOf(
      checks.toSorted(([one], [other]) =>
        hash('sha256', `${draw} ${one}`) < hash('sha256', `${draw} ${other}`) ? -1 : 1,
      ),
      lessons,
    ),
  );
}

/** The mean share of several curves that is found out with so many requests. */
export function meanShareAt(curves: readonly (readonly CurvePoint[])[], requests: number): number {
  return curves.reduce((sum, curve) => sum + shareAt(curve, requests), 0) / curves.length;
}
