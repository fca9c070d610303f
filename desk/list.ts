import { assuranceOf, findClause, isJudged, topicOf } from '../contract/catalogue.ts';
import { type Clause, needs, remedyFor } from '../contract/clause.ts';
import { readingsOf } from '../contract/readings.ts';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sentencesOf } from '../contract/sentences.ts';

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
  for (const need of clause.someNeed ?? [])
    lines.push(`  some of its checks need ${needs[need].text}, too: ${remedyFor(need)}`);
  if (isJudged(clause)) {
    lines.push(`  counts for level ${assuranceOf(clause)} of assurance`);
    lines.push(`  run it alone: npm test -- --clause ${clause.id}`);
  }
  return [...lines, ...whereLines(clause.id).map((line) => `  ${line}`)];
}

/** What each shelf does for a clause, in the order in which one reads about it. */
const shelves = [
  // Other clauses name it as what they stand on.
  ['stated', 'contract/clauses/*.ts', 'id: '],
  ['judged', 'judge/*.ts', ''],
  ['gathered', 'specs/*.spec.ts', ''],
  ['broken', 'mutants/**/*.ts', ''],
] as const;

const root = join(import.meta.dirname, '..');

/** The texts of the files that a pattern names, tests left out. */
function textsOf(pattern: string): (readonly [string, string])[] {
  const files = globSync(pattern, { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  return files.toSorted().map((file) => [file, readFileSync(join(root, file), 'utf8')]);
}

function isJudgedId(id: string): boolean {
  const clause = findClause(id);
  return clause !== undefined && isJudged(clause);
}

/** How a clause is judged that no file of the judge names: with all of its topic, or by what its check compares. */
function judgedUnnamedLine(id: string): string {
  const ofTopic = textsOf('judge/*.ts').filter(([, text]) => text.includes(`/clauses/${topicOf(id)}.ts'`));
  return ofTopic.length === 0
    ? 'judged by what its checks compare'
    : `judged in ${ofTopic.map(([file]) => file).join(', ')}, with all of its topic`;
}

/** Where a clause stands in the project: `stated in contract/clauses/echo.ts:12`, and so on; a shelf that does not name it is left out. */
export function whereLines(id: string): string[] {
  const lines = shelves.flatMap(([deed, pattern, before]) => {
    const places = textsOf(pattern).flatMap(([file, text]) => {
      const at = text.indexOf(`${before}'${id}'`);
      return at < 0 ? [] : [`${file}:${text.slice(0, at).split('\n').length}`];
    });
    if (places.length > 0) return [`${deed} in ${places.join(', ')}`];
    return deed === 'judged' && isJudgedId(id) ? [judgedUnnamedLine(id)] : [];
  });
  const rule = `simulator/rules/${topicOf(id)}.ts`;
  return existsSync(join(root, rule)) ? [...lines, `implemented in ${rule}, and what imports it`] : lines;
}
