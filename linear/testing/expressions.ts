import { parseSync, Visitor, type ESTree } from 'rolldown/utils';
import { namesOf, textsOf, type Names } from './static-text.ts';

/** A regular expression of the source. */
export interface Expression {
  readonly source: string;
  readonly flags: string;
  /** File and line. */
  readonly where: string;
}

/** The regular expressions of some files. */
export interface Expressions {
  readonly found: readonly Expression[];
  /** Where one is built of what can't be told without running it. */
  readonly unknown: readonly string[];
}

/**
 * Every regular expression of the files: the literals, what is given to `RegExp`, and the patterns of JSON schemas, which become
 * expressions when a validator is made of them. What is given there as `….source`, `….pattern` or a function's parameter of
 * that name is the pattern of another one, which is found where it is written: for the parameter, where the function is called.
 */
export function expressionsOf(texts: ReadonlyMap<string, string>): Expressions {
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
