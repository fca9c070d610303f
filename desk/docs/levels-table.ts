import { isWithin, mustJudged, catalogue } from '../../contract/catalogue.ts';
import { assuranceLevels, type AssuranceLevel } from '../../contract/clause.ts';

const means: Readonly<Record<AssuranceLevel, string>> = {
  secret: 'an address and an App Secret',
  credentials: 'all secrets, and a profile that has proved itself',
  receiver:
    'deliveries that reach the suite; minutes that pass (`NFE_SLOW`), a night (`--received`) for the ladder of retries',
  control: 'a control API, which also lifts what is withheld',
};

/** The levels of assurance with how many must clauses each can exercise, as the table that docs/ shows. */
export function levelsTable(): string {
  const rows = assuranceLevels.map((level) => {
    const clauses = mustJudged(catalogue, level === 'control').filter((clause) => isWithin(clause, level));
    return `| *${level}* | ${means[level]} | ${clauses.length} |`;
  });
  return ['| level | means | must clauses, with those of the levels below |', '|---|---|---|', ...rows].join('\n');
}
