import { catalogue, findClause } from './catalogue.ts';

/** What every other clause stands on: that a correct request passes. */
export const foundation = 'signature.accepted';

/** The clauses that a clause stands on, directly or through others, by their ids. */
export function buildsOn(id: string): ReadonlySet<string> {
  return all.get(id) ?? new Set();
}

const all: ReadonlyMap<string, ReadonlySet<string>> = new Map(catalogue.map(({ id }) => [id, under(id)]));

/** Walks down as far as it goes; what was met already is not walked again. */
function under(id: string, met: Set<string> = new Set()): ReadonlySet<string> {
  for (const below of findClause(id)?.buildsOn ?? []) {
    if (met.has(below)) continue;
    met.add(below);
    under(below, met);
  }
  return met;
}
