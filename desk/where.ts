import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { topicOf } from '../contract/catalogue.ts';

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

/** Where a clause stands in the project: `stated in contract/clauses/echo.ts:12`, and so on; a shelf that does not name it is left out. */
export function whereLines(id: string): string[] {
  const lines = shelves.flatMap(([deed, pattern, before]) => {
    const places = textsOf(pattern).flatMap(([file, text]) => {
      const at = text.indexOf(`${before}'${id}'`);
      return at < 0 ? [] : [`${file}:${text.slice(0, at).split('\n').length}`];
    });
    return places.length === 0 ? [] : [`${deed} in ${places.join(', ')}`];
  });
  const rule = `simulator/rules/${topicOf(id)}.ts`;
  return existsSync(join(root, rule)) ? [...lines, `implemented in ${rule}, and what imports it`] : lines;
}
