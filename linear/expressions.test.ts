import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, type Parameters } from 'recheck';
import { parseSync, Visitor, type ESTree } from 'rolldown/utils';
import { namesOf, textsOf, type Names } from './testing/static-text.ts';

/**
 * Limits in steps rather than in time, so that a busy machine decides as an idle one does. Whatever an automaton can decide it
 * decides, counted repetitions too: what is left to fuzzing are lookarounds and back references.
 */
const limits: Parameters = { maxRepeatCount: 1_000, incubationTimeout: null, attackTimeout: null, timeout: 120_000 };

/**
 * What is wrong with an expression; `undefined` where it takes linear time on every text, wherever in it the match is sought. A
 * sticky expression is asked again and again along a text, so that it counts as one that is not.
 */
async function faultOf({ source, flags }: Pick<Expression, 'source' | 'flags'>): Promise<string | undefined> {
  const found = await check(source, flags.replace('y', ''), limits);
  if (found.status === 'safe') return undefined;
  const why =
    found.status === 'vulnerable' ? `${found.complexity.summary} on ${found.attack.pattern}` : found.error.kind;
  return `/${source}/${flags} is ${found.status}: ${why}`;
}

/** The faults of some expressions, each with where it stands. */
async function faultsOf(expressions: readonly Expression[]): Promise<string[]> {
  const alike = Map.groupBy(expressions, ({ source, flags }) => `/${source}/${flags}`);
  const left = [...alike.values()];
  const faults: string[] = [];
  const decide = async (): Promise<void> => {
    for (let same = left.pop(); same; same = left.pop()) {
      const fault = same[0] && (await faultOf(same[0]));
      if (fault !== undefined) faults.push(`${same.map(({ where }) => where).join(' ')} ${fault}`);
    }
  };
  // The checker is a process of its own, which takes several questions at once.
  await Promise.all([decide(), decide()]);
  return faults;
}

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

/** A regular expression of the source. */
interface Expression {
  readonly source: string;
  readonly flags: string;
  /** File and line. */
  readonly where: string;
}

/** The regular expressions of some files. */
interface Expressions {
  readonly found: readonly Expression[];
  /** Where one is built of what can't be told without running it. */
  readonly unknown: readonly string[];
}

/**
 * Every regular expression of the files: the literals, what is given to `RegExp`, and the patterns of JSON schemas, which become
 * expressions when a validator is made of them. What is given there as `….source`, `….pattern` or a function's parameter of
 * that name is the pattern of another one, which is found where it is written: for the parameter, where the function is called.
 */
function expressionsOf(texts: ReadonlyMap<string, string>): Expressions {
  const files = [...texts].map(([path, text]) => ({ path, text, program: parsed(path, text) }));
  const names = new Map(files.map(({ path, program }) => [path, namesOf(path, program)]));
  const found: Expression[] = [];
  const unknown: string[] = [];
  for (const { path, text, program } of files) {
    const at = names.get(path) ?? namesOf(path, program);
    const whereIs = ({ start }: ESTree.Span): string => `${path}:${text.slice(0, start).split('\n').length}`;
    const take = (node: ESTree.Expression, flags: string): void => {
      const patterns = isElsewhere(node, at) ? [] : textsOf(names, node, at);
      if (patterns) found.push(...patterns.map((source) => ({ source, flags, where: whereIs(node) })));
      else unknown.push(`${whereIs(node)} ${text.slice(node.start, node.end)}`);
    };
    visit(program, (name) => takenBy(names, name, at), take);
  }
  return { found, unknown };
}

function parsed(path: string, text: string): ESTree.Program {
  const { program, errors } = parseSync(path, text, { preserveParens: false });
  if (errors.length > 0) throw new Error(`${path} can't be parsed: ${errors[0]?.message}`);
  return program;
}

/** Hands over what is a pattern, with the flags beside it. */
function visit(
  program: ESTree.Program,
  takenBy: (name: string) => number | undefined,
  take: (node: ESTree.Expression, flags: string) => void,
): void {
  const takeBuilt = ({ callee, arguments: given }: ESTree.NewExpression | ESTree.CallExpression): void => {
    if (callee.type !== 'Identifier') return;
    const taken = given[takenBy(callee.name) ?? -1];
    if (taken && taken.type !== 'SpreadElement') take(taken, 'u');
    const [pattern, flags] = given;
    if (callee.name !== 'RegExp' || !pattern || pattern.type === 'SpreadElement') return;
    // Flags that are not written there are those that let an expression match most.
    take(pattern, flags === undefined ? '' : flags.type === 'Literal' ? String(flags.value) : 'gims');
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node) take(node, node.regex.flags);
    },
    NewExpression: takeBuilt,
    CallExpression: takeBuilt,
    ObjectExpression({ properties }) {
      for (const one of properties) {
        if (one.type === 'Property' && nameOf(one) === 'pattern' && isText(one.value)) take(one.value, 'u');
        if (one.type === 'Property' && nameOf(one) === 'patternProperties') take(one.value, 'u');
      }
    },
  }).visit(program);
}

/** Which argument of the function of that name is a pattern. */
function takenBy(files: ReadonlyMap<string, Names>, name: string, at: Names): number | undefined {
  const imported = at.imports.get(name);
  return imported ? files.get(imported.path)?.patternTakers.get(imported.name) : at.patternTakers.get(name);
}

function nameOf({ key, computed }: ESTree.ObjectProperty): string | undefined {
  if (key.type === 'Identifier') return computed ? undefined : key.name;
  return key.type === 'Literal' ? String(key.value) : undefined;
}

/** Whether the value of a member named `pattern` may be the pattern of a schema, rather than an expression, a schema or a function. */
function isText(node: ESTree.Expression): boolean {
  const others = ['NewExpression', 'ObjectExpression', 'ArrowFunctionExpression'];
  return !others.includes(node.type) && !(node.type === 'Literal' && 'regex' in node);
}

function isElsewhere(node: ESTree.Expression, { patternTakers }: Names): boolean {
  if (node.type === 'Identifier') return node.name === 'pattern' && patternTakers.size > 0;
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return false;
  return ['source', 'pattern'].includes(node.property.name);
}
