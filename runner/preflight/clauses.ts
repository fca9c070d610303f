import { catalogue, isJudged } from '../../contract/catalogue.ts';
import type { Clause } from '../../contract/clause.ts';
import type { NeedName } from '../../contract/needs.ts';
import { counted } from '../../reports/figures.ts';
import { notSet, ok, warning, type Finding } from './finding.ts';

/** How much of the contract a run will exercise, as far as settings decide it. */
export interface Coverage {
  readonly exercised: number;
  /** Clauses that a run against a target judges at all. */
  readonly judged: number;
  /** The clauses that will not be exercised, by what they lack. */
  readonly lacking: ReadonlyMap<string, readonly Clause[]>;
}

/** The coverage on a target; `missing` says why it can't meet a need, `undefined` when it can. */
export function coverageOf(missing: (need: NeedName) => string | undefined): Coverage {
  const judged = catalogue.filter(isJudged);
  const lackOf = ({ needs = [] }: Clause): string => needs.flatMap((need) => missing(need) ?? []).join('; ');
  const lacking = Map.groupBy(judged, lackOf);
  const exercised = lacking.get('')?.length ?? 0;
  lacking.delete('');
  return { exercised, judged: judged.length, lacking };
}

/** The coverage as findings: the count, then a line for each thing that is lacking. */
export function judgeCoverage({ exercised, judged, lacking }: Coverage, requireComplete: boolean): Finding[] {
  const isMustLacking = [...lacking.values()].flat().some(({ level }) => level === 'must');
  const rest = [...lacking].map(([lack, clauses]) =>
    notSet('clauses', `${counted(clauses.length, 'clause')} will not be exercised: ${lack}`),
  );
  const incomplete = warning(
    'NFE_REQUIRE_COMPLETE',
    'it is true, and must clauses will not be exercised: npm test will end with 1',
    'set what these clauses need, or NFE_REQUIRE_COMPLETE to false',
  );
  return [
    ok('clauses', `${exercised} of ${judged} will be exercised`),
    ...rest,
    ...(requireComplete && isMustLacking ? [incomplete] : []),
  ];
}
