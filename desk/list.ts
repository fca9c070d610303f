import { assuranceOf, isJudged } from '../contract/catalogue.ts';
import { type Clause, needs, remedyFor } from '../contract/clause.ts';
import { readingsOf } from '../contract/readings.ts';
import { sentencesOf } from '../contract/sentences.ts';
import { whereLines } from './where.ts';

/** The clauses as a table, a line each: id, section, level, what they need. */
export function listLines(clauses: readonly Clause[]): string[] {
  const width = Math.max(...clauses.map(({ id }) => id.length));
  const head = `${'clause'.padEnd(width)}  section  level    needs`;
  return [head, ...clauses.map((clause) => lineOf(clause, width))];
}

function lineOf(clause: Clause, width: number): string {
  return `${clause.id.padEnd(width)}  ${clause.section.padEnd(7)}  ${clause.level.padEnd(7)}  ${needsText(clause)}`;
}

function needsText(clause: Clause): string {
  if (clause.binds !== 'service') return `not judged by a run: it binds the ${clause.binds}`;
  if (clause.unobservable !== undefined) return 'not judged by a run: unobservable';
  return clause.needs?.map((need) => needs[need].text).join('; ') ?? '-';
}

/** One clause in full. */
export function explainLines(clause: Clause): string[] {
  const lines = [
    clause.id,
    `  ${clause.statement}`,
    `  section ${clause.section} of the contract, level ${clause.level}, binds the ${clause.binds}`,
    ...sentencesOf(clause).map(({ section, sentence }) => `  the contract, ${section}: ${sentence}`),
    ...readingsOf(clause.id).map(({ number, text }) => `  reading ${number}: ${text}`),
  ];
  if (clause.unobservable !== undefined) lines.push(`  unobservable: ${clause.unobservable}`);
  for (const need of clause.needs ?? []) lines.push(`  needs ${needs[need].text}: ${remedyFor(need)}`);
  for (const need of clause.needsInstead ?? [])
    lines.push(`  or, in place of that, ${needs[need].text}: ${remedyFor(need)}`);
  if (isJudged(clause)) {
    lines.push(`  counts for level ${assuranceOf(clause)} of assurance`);
    lines.push(`  run it alone: npm test -- --clause ${clause.id}`);
  }
  return [...lines, ...whereLines(clause.id).map((line) => `  ${line}`)];
}
