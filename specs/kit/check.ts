import { inject, test } from 'vitest';
import { findClause, type ClauseId } from '../../contract/catalogue.ts';
import type { NeedName } from '../../contract/needs.ts';
import type { CheckOutcome } from '../../schemas/results.ts';
import type { Run } from '../../targets/address.ts';
import { isKept } from '../../targets/harmless.ts';
import { lackAt } from '../../targets/target.ts';
import { triesOf, type Cases, type PlannedTries } from './cases.ts';
import { attemptProperty, type CaseSource } from './generated.ts';
import { perform } from './perform.ts';
import type { Trial, TrialRecord } from './trial.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The runs that the specs are to make, each against its own target. */
    runs: readonly Run[];
  }
  interface TaskMeta {
    /** Name of the run that a check belongs to. */
    run?: string;
    /** The clause that the check is made for. */
    clause?: string;
    /** How much the check will try; absent where its needs are not met. */
    planned?: PlannedTries;
    /** How the check ended, and what it saw besides of another clause; absent when the suite itself broke. */
    outcomes?: readonly CheckOutcome[];
  }
}

/** A check of one clause: how it is made, apart from any target. */
export interface CheckPlan {
  readonly clause: ClauseId;
  /** The rule in the present tense. */
  readonly title: string;
  readonly needs: readonly NeedName[];
  readonly planned: (run: Run) => PlannedTries;
  /** Makes it once; `cases` counts what it tried. */
  readonly attempt: (trial: Trial, run: Run, record: TrialRecord) => Promise<Attempt>;
}

/** What an attempt at a check came to. */
export interface Attempt {
  readonly cases: number;
  /** What it failed with, and on which case. */
  readonly failure?: { readonly error: unknown; readonly counterexample?: string; readonly path?: string };
}

/** What a check needs beyond what its clause needs, or in place of that. */
interface CheckOptions {
  readonly needs?: readonly NeedName[];
  readonly needsOnly?: readonly NeedName[];
  /** Seconds that it waits where no clock can be moved; 0 when absent. */
  readonly waitSeconds?: number;
}

/** Declares a check of a clause by one example. */
export function check(
  clause: ClauseId,
  title: string,
  body: (trial: Trial) => Promise<void>,
  options: CheckOptions = {},
): void {
  register({
    clause,
    title,
    needs: needsOf(clause, options),
    planned: (run) => ({ title, cases: 1, examples: 0, isCut: false, waitSeconds: waitOf(run, options) }),
    attempt: async (trial) => {
      try {
        await body(trial);
        return { cases: 1 };
      } catch (error) {
        return { cases: 1, failure: { error } };
      }
    },
  });
}

/** Declares a check of a clause by generated cases; the examples are tried first. Sequences of commands come from a function. */
export function property<T>(
  clause: ClauseId,
  title: string,
  source: CaseSource<T>,
  body: (trial: Trial, value: T) => Promise<void>,
  options: CheckOptions & Cases<T> = {},
): void {
  register({
    clause,
    title,
    needs: needsOf(clause, options),
    planned: (run) => ({ title, ...triesOf(run, options), waitSeconds: waitOf(run, options) }),
    attempt: (trial, run, record) => attemptProperty(source, options, { trial, run, record, body }),
  });
}

function needsOf(clause: ClauseId, options: CheckOptions): readonly NeedName[] {
  if (options.needsOnly) return options.needsOnly;
  return [...new Set([...(findClause(clause)?.needs ?? []), ...(options.needs ?? [])])];
}

function waitOf({ address }: Run, { waitSeconds = 0 }: CheckOptions): number {
  return isKept(address) ? waitSeconds : 0;
}

/** One test for each run that asks for the clause. */
function register(plan: CheckPlan): void {
  for (const run of inject('runs')) {
    if (!run.clauses.includes(plan.clause) || (run.check !== undefined && run.check !== plan.title)) continue;
    const isMissing = plan.needs.some((need) => lackAt(run.address, need) !== undefined);
    const meta = { run: run.name, clause: plan.clause, ...(isMissing ? {} : { planned: plan.planned(run) }) };
    test(`${run.name} ${plan.clause}: ${plan.title}`, { meta }, async ({ task }) => {
      task.meta.outcomes = await perform(plan, run, task.file.name);
    });
  }
}
