import type { Results, RunVerdict } from '../schemas/results.ts';
import { counted } from './language.ts';
import { levelBrief } from './levels.ts';
import { mustClauses, isBroken, isStale, judgedNothing } from './verdicts.ts';

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
export function badgeOf(results: Results): Badge {
  const { verdict, filter } = results;
  const part = filter === undefined ? '' : ' in part';
  const isFound = verdict === 'conformant' || verdict === 'incomplete';
  return {
    schemaVersion: 1,
    label: 'NF-e contract',
    message: judgedNothing(results) ? 'not tested' : `${verdict}${part} · ${findings(results)}`,
    color: colours[verdict],
    ...(isFound ? {} : { isError: true }),
  };
}

function findings({ verdict, clauses, level }: Results): string {
  if (verdict === 'nonconformant') {
    const [broken, stale] = [clauses.filter(isBroken).length, clauses.filter(isStale).length];
    return [
      ...(broken > 0 ? [`${counted(broken, 'clause')} failed`] : []),
      ...(stale > 0 ? [counted(stale, 'known deviation stale', 'known deviations stale')] : []),
      ...(level?.complete ? [levelBrief(level)] : []),
    ].join(' · ');
  }
  const must = mustClauses(clauses);
  const passed = must.filter((clause) => clause.verdict === 'passed');
  const reach = level === undefined ? '' : ` · ${levelBrief(level)}`;
  return `${passed.length}/${must.length} must clauses${reach}`;
}
