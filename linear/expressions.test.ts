import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expressionsOf } from './testing/expressions.ts';
import { faultOf, faultsOf } from './testing/fault.ts';

const root = join(import.meta.dirname, '..');

/** All but tests, what helps them, and mutants, which read what the suite itself sends. */
function sources(): Map<string, string> {
  const own = ['**/*.test.ts', '**/testing/**', 'mutants/**'];
  const exclude = ['**/node_modules/**', '**/.*/**', 'reports/out/**', ...own];
  const paths = globSync('**/*.ts', { cwd: root, exclude }).sort();
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

test('every regular expression of the source takes linear time on any text', async () => {
  const { found, unknown } = expressionsOf(sources());
  expect(unknown, 'what is built of parts is built of constants and RegExp.escape').toEqual([]);
  expect(found.length).toBeGreaterThan(400);
  expect(await faultsOf(found)).toEqual([]);
});

describe('an expression', () => {
  test.each([
    ['(a|a)*b', 'exponential'],
    [String.raw`\s+$`, 'polynomial'],
    [String.raw`^(?=.*a).*b|(?=.*a).*b`, 'polynomial'],
    [String.raw`\d{1,60}\d*x`, 'polynomial'],
    ['a*b', 'polynomial', 'y'],
  ])('that takes more than linear time has a fault: %s', async (source, complexity, flags = '') => {
    expect(await faultOf({ source, flags })).toContain(complexity);
  });

  test.each([String.raw`(?<!\s)\s+$`, String.raw`^\s+`, '"[^"]*"', String.raw`^[\w-]{22,200}$`])(
    'that takes linear time has none: %s',
    async (source) => {
      expect(await faultOf({ source, flags: '' })).toBeUndefined();
    },
  );
});

/** What is found in a file, beside one that it imports from. */
function foundIn(text: string): { found: string[]; unknown: string[] } {
  const other = `export const digits = String.raw\`\\d+\`; export function form(pattern: string) { return { pattern }; }`;
  const texts = new Map([
    ['a/one.ts', `import { digits, form } from './other.ts';\n${text}`],
    ['a/other.ts', other],
  ]);
  const { found, unknown } = expressionsOf(texts);
  return { found: found.map(({ source, flags, where }) => `${where} /${source}/${flags}`), unknown: [...unknown] };
}

describe('an expression of the source', () => {
  test.each([
    ['is a literal', 'const a = /x+/gi;', ['/x+/gi']],
    ['is built of a text', `const a = new RegExp('x+', 'g');`, ['/x+/g']],
    ['is built without new', `const a = RegExp('x+');`, ['/x+/']],
    [
      'is built of constants of several files',
      'const end = `$`; const a = new RegExp(`^${digits}` + end);',
      ['/^\\d+$/'],
    ],
    ['is built of one of two constants', `const a = (b: boolean) => new RegExp(b ? 'x' : 'y');`, ['/x/', '/y/']],
    [
      'is built around any escaped text',
      'const a = (b: string) => new RegExp(`^${RegExp.escape(b)}$`);',
      ['/^w7$/', '/^ $/'],
    ],
    [
      'is built of an escaped list',
      `const a = (b: string[]) => new RegExp(b.map((c) => (c === 'x' ? 'y' : 'z')).join('|'));`,
      ['/y/', '/z/', '/y|y/', '/y|z/', '/z|y/', '/z|z/'],
    ],
    ['is the pattern of a schema', `const a = { type: 'string', pattern: '^x' };`, ['/^x/u']],
    ['is given to a function that makes a schema', `const a = form('^x');`, ['/^x/u']],
    ['stands where its source is used', 'const a = /x/; const b = new RegExp(a.source);', ['/x/']],
  ])('is found where it %s', (_, text, expected) => {
    const { found, unknown } = foundIn(text);
    expect({ found, unknown }).toEqual({ found: expected.map((one) => `a/one.ts:2 ${one}`), unknown: [] });
  });

  test.each([
    ['a text of somebody else’s', 'const a = (b: string) => new RegExp(b);', 'b'],
    ['such a text within another', 'const a = (b: string) => new RegExp(`x${b}`);', '`x${b}`'],
    ['a name that stands for two things', `const c = 'x'; const a = (c: string) => new RegExp(c);`, 'c'],
    ['a schema with such a text', 'const a = (b: string) => ({ pattern: `^${b}` });', '`^${b}`'],
    ['a text that is made in any other way', `const a = new RegExp('x'.repeat(3));`, "'x'.repeat(3)"],
  ])('can’t be told where it is made of %s', (_, text, part) => {
    expect(foundIn(text)).toEqual({ found: [], unknown: [`a/one.ts:2 ${part}`] });
  });
});
