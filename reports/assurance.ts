import { isWithin } from '../contract/catalogue.ts';
import { type Clause, assuranceLevels } from '../contract/clause.ts';
import type { ClauseResult, Results } from '../schemas/results.ts';
import { mustClauses } from './must.ts';
import { isExercised } from './verdicts.ts';

/** How far a run reached. */
export type Reach = NonNullable<Results['level']>;

/** What a run was asked for. */
interface Asked {
  readonly clauses: readonly Clause[];
  /** The part of the suite, when that is not everything. */
  readonly filter?: string;
}

/**
 * How far a run reached, level by level, each with all below it; the highest of which every must clause was exercised and
 * holds is complete. Nothing of a run of a part, or of one without any must clause: they say nothing of levels.
 */
export function levelOf({ clauses, filter }: Asked, judged: readonly ClauseResult[]): Pick<Results, 'level'> {
  const must = mustClauses(judged);
  if (filter !== undefined || must.length === 0) return {};
  const levels = assuranceLevels.map((name) => {
    const within = new Set(clauses.filter((clause) => isWithin(clause, name)).map(({ id }) => id));
    const own = must.filter(({ id }) => within.has(id));
    const exercised = own.filter(({ verdict }) => isExercised(verdict)).length;
    const isComplete = own.length > 0 && own.every(({ verdict }) => verdict === 'passed');
    return { name, exercised, of: own.length, isComplete };
  });
  const complete = levels.findLast(({ isComplete }) => isComplete)?.name ?? null;
  return { level: { complete, reached: levels.map(({ name, exercised, of }) => ({ name, exercised, of })) } };
}
