import { isWithheldWithoutLeave, isWithin, mustJudged, catalogue } from '../../contract/catalogue.ts';
import { type Clause, remedyFor, type AssuranceLevel, type NeedName } from '../../contract/clause.ts';
import { counted } from '../../reports/figures.ts';
import type { Requirements } from '../results/exit-status.ts';
import { notSet, ok, warning, type Remark } from './finding.ts';

/** How much of the contract a run will exercise, as far as settings decide it; counted in must clauses. */
export interface Coverage {
  readonly exercised: number;
  /** Must clauses that a run against this target judges. */
  readonly judged: number;
  /** Those among them that will not be exercised, by what they lack. */
  readonly lacking: ReadonlyMap<string, readonly Clause[]>;
  /** Must clauses that will be withheld, in none of the other numbers. */
  readonly withheld: readonly Clause[];
}

/** Why a target can't meet a need; `undefined` when it can. */
type Missing = (need: NeedName) => string | undefined;

/** The coverage on a target, which may be sent what might issue for real, or not. */
export function coverageOf(missing: Missing, mayIssueForReal: boolean): Coverage {
  const judged = mustJudged(catalogue, mayIssueForReal);
  const lacking = Map.groupBy(judged, (clause) => lackOf(clause, missing));
  const exercised = lacking.get('')?.length ?? 0;
  lacking.delete('');
  const withheld = mayIssueForReal ? [] : mustJudged(catalogue, true).filter(isWithheldWithoutLeave);
  return { exercised, judged: judged.length, lacking, withheld };
}

/** What keeps a clause from being exercised; empty where one of the ways to it is open. */
function lackOf({ needs = [], needsInstead }: Clause, missing: Missing): string {
  if (needsInstead?.every((need) => missing(need) === undefined)) return '';
  return needs.flatMap((need) => missing(need) ?? []).join('; ');
}

/** The coverage as findings: the count, then a line for each thing that is lacking, then what is required in vain. */
export function judgeCoverage(coverage: Coverage, required: Requirements): Remark[] {
  const { exercised, judged, lacking, withheld } = coverage;
  const rest = [...lacking].map(([lack, clauses]) =>
    notSet('clauses', `${counted(clauses.length, 'must clause')} will not be exercised: ${lack}`),
  );
  const apart = `${counted(withheld.length, 'must clause')} withheld, for what might issue a real invoice`;
  return [
    ok('clauses', `${exercised} of ${counted(judged, 'must clause')} will be exercised`),
    ...rest,
    ...(withheld.length > 0 ? [notSet('clauses', apart, remedyFor('real-issuance'))] : []),
    ...(required.requireComplete && lacking.size > 0 ? [inVainComplete] : []),
    ...inVainLevel(coverage, required.requireLevel),
  ];
}

const inVainComplete = warning(
  'NFE_REQUIRE_COMPLETE',
  'it is true, and must clauses will not be exercised: npm test will end with 1',
  'set what these clauses need, or NFE_REQUIRE_COMPLETE to false',
);

/** A warning where clauses of the level that is required, or of one below it, will not be exercised. */
function inVainLevel({ lacking }: Coverage, level: AssuranceLevel | undefined): Remark[] {
  if (level === undefined) return [];
  const open = [...lacking.values()].flat().filter((clause) => isWithin(clause, level)).length;
  if (open === 0) return [];
  const found = `it is ${level}, of which ${counted(open, 'must clause')} will not be exercised: npm test will end with 1`;
  return [warning('NFE_REQUIRE_LEVEL', found, 'set what these clauses need, or require a lower level')];
}
