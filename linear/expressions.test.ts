import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, type Parameters } from 'recheck';
import { parseSync, Visitor, type ESTree } from 'rolldown/utils';

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

/** Where patterns of schemas are built of constants: what these modules export is looked through as it is. */
const isBuilding = (path: string): boolean => path.startsWith('schemas/') || path === 'simulator/issuance/schema.ts';

test('every regular expression of the source takes linear time on any text', async () => {
  const texts = sources();
  const written = [...texts].map(([path, text]) => expressionsIn(path, text));
  const modules = await Promise.all(
    [...texts.keys()]
      .filter(isBuilding)
      .map(async (where) => ({ where, exported: (await import(join(root, where))) as unknown })),
  );
  const built = modules.flatMap(({ where, exported }) =>
    [...patternsIn(exported)].map((source) => ({ source, flags: 'u', where })),
  );
  expect(
    written.flatMap(({ unknown }) => unknown),
    'a pattern is written out, or exported by a schema',
  ).toEqual([]);
  expect(built.length).toBeGreaterThan(20);
  const found = [...written.flatMap((one) => one.found), ...built];
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

test.each([
  ['a literal', 'const a = /x+/gi;', ['/x+/gi'], 0],
  ['the pattern of a schema', "const a = { type: 'string', pattern: '^x' };", ['/^x/u'], 0],
  ['the name of members by their pattern', "const a = { patternProperties: { '^x': {} } };", ['/^x/u'], 0],
  ['built of a text', "const a = new RegExp('x+', 'g');", [], 1],
  ['built without new', 'const a = (b: string) => RegExp(b);', [], 1],
  ['a pattern that is built', 'const a = (b: string) => ({ pattern: `^${b}` });', [], 1],
  ['built of the pattern of a schema', "const a = (b: { pattern: string }) => new RegExp(b.pattern, 'u');", [], 0],
])('an expression is found, or told as unknown, that is %s', (_, text, expected, unknowns) => {
  const { found, unknown } = expressionsIn('a/one.ts', text);
  expect(found.map(({ source, flags }) => `/${source}/${flags}`)).toEqual(expected);
  expect(unknown).toHaveLength(unknowns);
});

/** A regular expression of the source. */
interface Expression {
  readonly source: string;
  readonly flags: string;
  /** File and line. */
  readonly where: string;
}

/** The expressions that are written out in a file: literals, and patterns of JSON schemas; and where one is built of parts. */
function expressionsIn(path: string, text: string): { found: Expression[]; unknown: string[] } {
  const { program, errors } = parseSync(path, text, { preserveParens: false });
  if (errors.length > 0) throw new Error(`${path} can't be parsed: ${errors[0]?.message}`);
  const found: Expression[] = [];
  const unknown: string[] = [];
  const whereIs = ({ start }: ESTree.Span): string => `${path}:${text.slice(0, start).split('\n').length}`;
  const takeBuilt = (node: ESTree.NewExpression | ESTree.CallExpression): void => {
    const [given] = node.arguments;
    const isOfSchema = given?.type === 'MemberExpression' && memberName(given.property) === 'pattern';
    if (memberName(node.callee) === 'RegExp' && !isOfSchema) unknown.push(whereIs(node));
  };
  const takePattern = (node: ESTree.Node): void => {
    const isText = node.type === 'Literal' && typeof node.value === 'string';
    if (isText) found.push({ source: node.value, flags: 'u', where: whereIs(node) });
    const isBuilt = node.type === 'TemplateLiteral' || node.type === 'BinaryExpression';
    if (isBuilt && !isBuilding(path)) unknown.push(whereIs(node));
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.push({ source: node.regex.pattern, flags: node.regex.flags, where: whereIs(node) });
    },
    NewExpression: takeBuilt,
    CallExpression: takeBuilt,
    Property({ key, value }) {
      if (memberName(key) === 'pattern') takePattern(value);
      if (memberName(key) !== 'patternProperties' || value.type !== 'ObjectExpression') return;
      for (const one of value.properties)
        if (one.type === 'Property' && one.key.type === 'Literal') takePattern(one.key);
    },
  }).visit(program);
  return { found, unknown };
}

function memberName(node: ESTree.Node): string | undefined {
  return node.type === 'Identifier' ? node.name : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The patterns of schemas that stand anywhere in a value. */
function* patternsIn(value: unknown, seen = new Set<unknown>()): Generator<string> {
  if (!isObject(value) || seen.has(value)) return;
  seen.add(value);
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'pattern' && typeof inner === 'string') yield inner;
    else if (name === 'patternProperties' && isObject(inner)) yield* Object.keys(inner);
    yield* patternsIn(inner, seen);
  }
}
