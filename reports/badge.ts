import type { RunVerdict } from '../schemas/results.ts';
import { counted } from './language.ts';
import { levelBrief } from './levels.ts';
import type { ReportModel } from './model.ts';

/** What an endpoint badge of shields.io takes. */
export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
  /** Keeps whoever shows the badge from giving it another colour. */
  readonly isError?: true;
}

const colours = {
  conformant: 'brightgreen',
  incomplete: 'yellow',
  nonconformant: 'red',
  error: 'lightgrey',
} as const satisfies Record<RunVerdict, string>;

/** The verdict as a badge. A run of a part says so: it must not pass for a run of the whole. */
export function badgeOf(model: ReportModel): Badge {
  const { verdict, filter } = model.results;
  const part = filter === undefined ? '' : ' in part';
  const isFound = verdict === 'conformant' || verdict === 'incomplete';
  return {
    schemaVersion: 1,
    label: 'NF-e contract',
    message: model.judgedNothing ? 'not tested' : `${verdict}${part} · ${findings(model)}`,
    color: colours[verdict],
    ...(isFound ? {} : { isError: true }),
  };
}

function findings({ results: { verdict, level }, groups, must }: ReportModel): string {
  if (verdict === 'nonconformant') {
    const [broken, stale] = [groups.failures.clauses.length, groups.stale.clauses.length];
    return [
      ...(broken > 0 ? [`${counted(broken, 'clause')} failed`] : []),
      ...(stale > 0 ? [counted(stale, 'known deviation stale', 'known deviations stale')] : []),
      ...(level?.complete ? [levelBrief(level)] : []),
    ].join(' · ');
  }
  const passed = must.filter((clause) => clause.verdict === 'passed');
  const reach = level === undefined ? '' : ` · ${levelBrief(level)}`;
  return `${passed.length}/${must.length} must clauses${reach}`;
}
