import { assuranceLevels, type AssuranceLevel } from '../../contract/clause.ts';
import { counted } from '../../reports/figures.ts';
import { levelDistance } from '../../reports/level-sentence.ts';
import { mustClauses } from '../../reports/must.ts';
import type { Results } from '../../schemas/results.ts';

/** What the settings ask of a run beyond its verdict. */
export interface Requirements {
  readonly requireComplete: boolean;
  readonly requireLevel: AssuranceLevel | undefined;
}

/** How a command that publishes a run ends. */
export interface EndOfRun {
  /** 0 conformant or incomplete, 1 nonconformant or less than was required, 2 error. */
  readonly status: number;
  /** What the settings have to do with it, a line each; none where the verdict alone decides. */
  readonly notes: readonly string[];
}

/** How a run ends. What its results do not tell, those of a part do not tell of levels, is not held against it, and said. */
export function endingOf(results: Results, required: Requirements): EndOfRun {
  if (results.verdict === 'error') return { status: 2, notes: [] };
  if (results.verdict === 'nonconformant') return { status: 1, notes: [] };
  const unmet = [...unmetComplete(results, required), ...unmetLevel(results, required)];
  if (unmet.length > 0) return { status: 1, notes: unmet.map((why) => `Exit status 1: ${why}`) };
  return { status: 0, notes: untold(results, required) };
}

function unmetComplete({ verdict, clauses }: Results, { requireComplete }: Requirements): string[] {
  if (verdict !== 'incomplete' || !requireComplete) return [];
  const open = mustClauses(clauses).filter(
    ({ verdict }) => verdict === 'not-exercised' || verdict === 'blocked',
  ).length;
  return [
    `NFE_REQUIRE_COMPLETE is true, and ${counted(open, 'must clause')} ${open === 1 ? 'was' : 'were'} not exercised`,
  ];
}

function unmetLevel({ level }: Results, { requireLevel }: Requirements): string[] {
  if (level === undefined || requireLevel === undefined) return [];
  const rank = assuranceLevels.findIndex((name) => name === level.complete);
  if (rank >= assuranceLevels.indexOf(requireLevel)) return [];
  return [`NFE_REQUIRE_LEVEL is ${requireLevel}, which is not complete: ${levelDistance(level, requireLevel)}`];
}

function untold({ level }: Results, { requireLevel }: Requirements): string[] {
  if (level !== undefined || requireLevel === undefined) return [];
  return [
    `NFE_REQUIRE_LEVEL is ${requireLevel}, of which these results say nothing: only a run of the whole suite is held to it`,
  ];
}
