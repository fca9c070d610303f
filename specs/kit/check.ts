import fc from 'fast-check';
import { inject, test } from 'vitest';
import { buildsOn, findClause, neededBy, type ClauseId } from '../../contract/catalogue.ts';
import { companies, type Need, type NeedName, needs as needsByName } from '../../contract/clause.ts';
import { inPassing, judgedInPassing } from '../../judge/judge.ts';
import type { CheckOutcome } from '../../schemas/results.ts';
import type { Run } from '../../targets/address.ts';
import { isKept } from '../../targets/traffic/interlock.ts';
import { lackAt } from '../../targets/needs-met.ts';
import { LeftOut } from '../../targets/not-exercised.ts';
import {
  type AttemptAtCheck,
  asAskedOf,
  type CheckPlan,
  examplesOf,
  isAbreast,
  triesOf,
  withFewCases,
  type Cases,
  type PlannedTries,
  paceOf,
} from './check-plan.ts';
import { arbitraryOf, attemptProperty, type CaseSource } from './generated.ts';
import { isNoted, sawKept } from './noting.ts';
import { perform } from './perform.ts';
import { Deviation } from './deviation.ts';
import { failWhereBroken } from './recorder.ts';
import type { Trial } from './trial.ts';
import type { TrialRecord } from './trial-record.ts';
import type { PoolName } from './pooled.ts';

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
    /** Titles under which failures of that clause may be told: its own, and that of what every check sees besides. */
    titles?: readonly string[];
    /** How much the check will try; absent where its needs are not met. */
    planned?: PlannedTries;
    /** The spec file that declares it, where it is not the one that vitest knows. */
    file?: string;
    /** How the check ended, and what it saw besides of another clause; absent when the suite itself broke. */
    outcomes?: readonly CheckOutcome[];
  }
}

/** What a check needs beyond what its clause needs, or whether it goes the other way, which its clause names. */
interface CheckOptions {
  readonly needs?: readonly NeedName[];
  readonly isOtherWay?: boolean;
  /** The pool that all of its requests belong to. */
  readonly pool?: PoolName | undefined;
  /** Whether, at the one address of a run, it fails deliveries, or looks for verdicts where these are sent: then it is made in turn. */
  readonly isInTurn?: boolean;
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
  const attempt: CheckPlan['attempt'] = (trial, _, record) =>
    attemptExample(() => judgedCase(clause, record, () => body(trial)), record);
  register({ clause, title, needs: needsOf(clause, options), ...ways(options), attempt }, (run) => {
    return { title, cases: 1, examples: 0, isCut: false, waitSeconds: waitOf(run, options), ...paceOf(run) };
  });
}

/** Makes a check by one example once. */
export async function attemptExample(body: () => Promise<void>, record: TrialRecord): Promise<AttemptAtCheck> {
  try {
    await body();
    // Of several items each has said so itself: the last of them may be one that is noted.
    if (!record.hasItems) sawKept(record);
    return { cases: 1 };
  } catch (error) {
    return isNoted(record, error) ? { cases: 1 } : { cases: 1, failure: { error } };
  }
}

/** Declares a check of a clause by generated cases; the examples are tried first. Sequences of commands come from a function. */
export function property<T>(
  clause: ClauseId,
  title: string,
  source: CaseSource<T>,
  body: (trial: Trial, value: T) => Promise<void>,
  options: CheckOptions & Cases<T> = {},
): void {
  const attempt: CheckPlan['attempt'] = (trial, run, record) =>
    attemptProperty(arbitraryOf(source, run), examplesOf(run, options), withFewCases(run, options), record, (value) =>
      judgedCase(clause, record, () => body(trial, value)),
    );
  const examples: CheckPlan['examples'] = (run) => examplesOf(run, options).length;
  register({ clause, title, needs: needsOf(clause, options), ...ways(options), examples, attempt }, (run) => {
    return { title, ...triesOf(run, options), waitSeconds: waitOf(run, options) };
  });
}

/**
 * Makes a case, and fails where the judge saw the clause broken in what it gathered, however the case ended. A case that asserts
 * nothing itself is judged by that alone: without anything that bears on the clause it proves nothing.
 */
export async function judgedCase(clause: ClauseId, record: TrialRecord, make: () => Promise<void>): Promise<void> {
  const { recorder, assertions } = record;
  recorder.beginCase();
  delete record.unread;
  try {
    await make();
  } catch (error) {
    if (!fc.PreconditionFailure.isFailure(error)) failWhereBroken(recorder, clause);
    throw error;
  }
  failWhereBroken(recorder, clause);
  const { held } = recorder.seenOf(clause);
  if (record.assertions > assertions) return;
  record.assertions += held;
  if (held > 0 || !judgedInPassing.has(clause)) return;
  throw premiseBroken(clause, record) ?? new LeftOut('nothing came that bears on it');
}

/** Why nothing bears on the clause, where that is the target's doing: a right answer to what the case has sent would have told. */
function premiseBroken(clause: ClauseId, { recorder, unread }: TrialRecord): Deviation | undefined {
  const below = [...buildsOn(clause)].map((id) => recorder.seenOf(id).broken).find((broken) => broken !== undefined);
  if (below?.broken) return new Deviation(below.broken).asPremise();
  return unread === undefined
    ? undefined
    : new Deviation({ expected: 'an answer that can be read', actual: unread }).asPremise();
}

function ways({ pool, isInTurn }: CheckOptions): Pick<CheckPlan, 'pool' | 'isInTurn'> {
  return { pool, isInTurn };
}

function needsOf(id: ClauseId, { needs = [], isOtherWay = false }: CheckOptions): readonly NeedName[] {
  const clause = findClause(id);
  const ofClause = isOtherWay ? clause?.needsInstead : (clause?.needs ?? []);
  if (!ofClause) throw new Error(`a check goes another way to ${id} than its clause knows of: give it needsInstead`);
  const all = [...new Set([...ofClause, ...needs])];
  const told = neededBy([id]);
  const untold = all.some(isOnlyByControl) ? undefined : needs.find((need) => isCompany(need) && !told.has(need));
  if (untold !== undefined)
    throw new Error(`${id} does not tell that some of its checks need ${untold}: add it to someNeed`);
  return all;
}

function isCompany(need: NeedName): boolean {
  return companies.some((name) => name === need);
}

/** Where a control API makes the application of a check, its companies are registered by the check itself. */
function isOnlyByControl(need: NeedName): boolean {
  const { level }: Need = needsByName[need];
  return level === 'control';
}

function waitOf({ address }: Run, { waitSeconds = 0 }: CheckOptions): number {
  return isKept(address) ? waitSeconds : 0;
}

/** Whether a run makes a check: one that names its checks makes these alone. */
function isAsked({ checks }: Run, { clause, title }: CheckPlan): boolean {
  return checks === undefined || checks.some((asked) => asked.clause === clause && asked.check === title);
}

/** A check of one run, which vitest is to be told of. */
interface Declared {
  readonly plan: CheckPlan;
  readonly run: Run;
  /** How much it will try; absent where its needs are not met. */
  readonly tries?: PlannedTries;
}

/** One test for each run that asks for the clause. */
function register(plan: CheckPlan, triesIn: (run: Run) => PlannedTries): void {
  for (const asked of inject('runs')) {
    const run = asAskedOf(asked, plan.clause);
    if (!run.clauses.includes(plan.clause) || !isAsked(run, plan)) continue;
    const isMissing = plan.needs.some((need) => lackAt(run.address, need) !== undefined);
    declare({ plan, run, ...(isMissing ? {} : { tries: triesIn(run) }) });
  }
}

/** Where checks are put that vitest is not told of yet: of those of several files it is told together. */
let putOff: ((declared: Declared) => void) | undefined;

function declare(declared: Declared): void {
  if (putOff) putOff(declared);
  else tellVitest(declared);
}

function tellVitest({ plan, run, tries }: Declared, file?: string): void {
  const { clause, title } = plan;
  const concurrent = isAbreast(plan, run);
  const titles = [title, ...(judgedInPassing.has(clause) ? [inPassing] : [])];
  const planned = tries && { ...tries, ...(concurrent ? { isAbreast: concurrent } : {}) };
  const meta = {
    run: run.name,
    clause,
    titles,
    ...(planned ? { planned } : {}),
    ...(file === undefined ? {} : { file }),
  };
  test(`${run.name} ${clause}: ${title}`, { meta, concurrent }, async ({ task }) => {
    task.meta.outcomes = await perform(plan, run, file ?? task.file.name);
  });
}

/**
 * Declares the checks of several files as those of one, so that the checks of one file go on while those of another wait: those that may
 * be made abreast first, and then the others, in turn. `read` has a file declare its own.
 */
export async function declareTogether(
  files: readonly string[],
  read: (file: string) => Promise<unknown>,
): Promise<void> {
  const all: (Declared & { readonly file: string })[] = [];
  try {
    for (const file of files) {
      putOff = (declared) => all.push({ ...declared, file });
      await read(file);
    }
  } finally {
    putOff = undefined;
  }
  const [abreast = [], inTurn = []] = [true, false].map((is) =>
    all.filter(({ plan, run }) => isAbreast(plan, run) === is),
  );
  for (const { file, ...declared } of [...abreast, ...inTurn]) tellVitest(declared, file);
}
