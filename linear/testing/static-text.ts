import { dirname, join } from 'node:path';
import { Visitor, type ESTree } from 'rolldown/utils';

/**
 * The texts that an expression of the source can come to, worked out without running it; `undefined` where that can't be told.
 * A text of somebody else's that stands there escaped is one of `samples`.
 */
export type StaticTexts = readonly string[] | undefined;

/** What the names of a file stand for. */
export interface Names {
  readonly path: string;
  /** Constants that no other name of the file hides. */
  readonly constants: ReadonlyMap<string, ESTree.Expression>;
  readonly imports: ReadonlyMap<string, Import>;
  /** Functions with a parameter that is called `pattern`, and which it is. */
  readonly patternTakers: ReadonlyMap<string, number>;
}

interface Import {
  readonly path: string;
  readonly name: string;
}

/** What stands for any text that is escaped: a word, and what quantifiers around it may take as well. */
const samples = ['w7', ' '];

/** More texts than that are not told apart. */
const mostTexts = 200;

/** Works out the text of an expression that stands in a file. */
export function textsOf(files: ReadonlyMap<string, Names>, node: ESTree.Expression, at: Names): StaticTexts {
  const within = (inner: ESTree.Expression): StaticTexts => textsOf(files, inner, at);
  if (node.type === 'Literal') return literalTexts(node);
  if (node.type === 'TemplateLiteral') return templateTexts(node, ({ value }) => value.cooked ?? value.raw, within);
  if (node.type === 'TaggedTemplateExpression') {
    return isMember(node.tag, 'String', 'raw')
      ? templateTexts(node.quasi, ({ value }) => value.raw, within)
      : undefined;
  }
  if (node.type === 'BinaryExpression') {
    return node.operator === '+' ? joined([within(node.left), within(node.right)]) : undefined;
  }
  if (node.type === 'ConditionalExpression') return either([within(node.consequent), within(node.alternate)]);
  if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression') return within(node.expression);
  if (node.type === 'Identifier') return namedTexts(files, node.name, at);
  if (node.type === 'MemberExpression') return sourceTexts(node);
  if (node.type !== 'CallExpression') return undefined;
  return isMember(node.callee, 'RegExp', 'escape') ? samples : joinTexts(node, within);
}

/** The text that stands there, or the pattern of the expression that does. */
function literalTexts(node: Extract<ESTree.Expression, { type: 'Literal' }>): StaticTexts {
  if ('regex' in node) return [node.regex.pattern];
  return typeof node.value === 'string' || typeof node.value === 'number' ? [String(node.value)] : undefined;
}

function isMember(node: ESTree.Expression, object: string, name: string): boolean {
  return (
    node.type === 'MemberExpression' &&
    !node.computed &&
    node.object.type === 'Identifier' &&
    node.object.name === object &&
    node.property.name === name
  );
}

function templateTexts(
  { quasis, expressions }: ESTree.TemplateLiteral,
  textOf: (piece: ESTree.TemplateElement) => string,
  within: (inner: ESTree.Expression) => StaticTexts,
): StaticTexts {
  return joined(quasis.flatMap((piece, at) => [[textOf(piece)], ...expressions.slice(at, at + 1).map(within)]));
}

function namedTexts(files: ReadonlyMap<string, Names>, name: string, at: Names): StaticTexts {
  const constant = at.constants.get(name);
  if (constant) return textsOf(files, constant, at);
  const imported = at.imports.get(name);
  const from = imported && files.get(imported.path);
  return from && namedTexts(files, imported.name, from);
}

/** The pattern of an expression that stands there itself. */
function sourceTexts({ object, property }: ESTree.MemberExpression): StaticTexts {
  const isSource = property.type === 'Identifier' && property.name === 'source';
  return isSource && object.type === 'Literal' && 'regex' in object ? [object.regex.pattern] : undefined;
}

/** Any list whose items are made by one function, joined: one item, and two of them. */
function joinTexts(
  { callee, arguments: [by] }: ESTree.CallExpression,
  within: (inner: ESTree.Expression) => StaticTexts,
): StaticTexts {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier' || callee.property.name !== 'join')
    return undefined;
  const separator = by && by.type !== 'SpreadElement' ? within(by) : undefined;
  const item = separator && itemTexts(callee.object, within);
  return item && either([item, joined([item, separator, item])]);
}

function itemTexts(list: ESTree.Expression, within: (inner: ESTree.Expression) => StaticTexts): StaticTexts {
  if (list.type !== 'CallExpression' || list.callee.type !== 'MemberExpression') return undefined;
  const { property } = list.callee;
  const [make] = list.arguments;
  if (property.type !== 'Identifier' || property.name !== 'map' || make?.type !== 'ArrowFunctionExpression')
    return undefined;
  return make.body.type === 'BlockStatement' ? undefined : within(make.body);
}

function either(texts: readonly StaticTexts[]): StaticTexts {
  return texts.includes(undefined) ? undefined : [...new Set(texts.flatMap((some) => some ?? []))];
}

function joined(parts: readonly StaticTexts[]): StaticTexts {
  return parts.reduce<StaticTexts>(
    (before, part) => {
      const texts = part && before?.flatMap((start) => part.map((end) => start + end));
      return texts && texts.length <= mostTexts ? texts : undefined;
    },
    [''],
  );
}

/** What the names of a file stand for. A name that stands for several things there stands for none. */
export function namesOf(path: string, program: ESTree.Program): Names {
  const constants = new Map<string, ESTree.Expression>();
  const others = new Set<string>();
  const imports = new Map<string, Import>();
  const patternTakers = new Map<string, number>();
  const addParameters = (parameters: readonly ESTree.ParamPattern[]): void => {
    for (const parameter of parameters) for (const name of boundNames(parameter)) others.add(name);
  };
  new Visitor({
    VariableDeclaration({ kind, declarations }) {
      for (const { id, init } of declarations) {
        const isNew = kind === 'const' && id.type === 'Identifier' && init && !constants.has(id.name);
        if (isNew) constants.set(id.name, init);
        else for (const name of boundNames(id)) others.add(name);
      }
    },
    FunctionDeclaration({ id, params }) {
      addParameters(params);
      const taken = params.findIndex((one) => one.type === 'Identifier' && one.name === 'pattern');
      if (id && taken >= 0) patternTakers.set(id.name, taken);
    },
    FunctionExpression: ({ params }) => addParameters(params),
    ArrowFunctionExpression: ({ params }) => addParameters(params),
    ImportDeclaration({ source, specifiers }) {
      for (const specifier of specifiers) {
        if (specifier.type !== 'ImportSpecifier' || specifier.imported.type !== 'Identifier') continue;
        const from = join(dirname(path), source.value);
        imports.set(specifier.local.name, { path: from, name: specifier.imported.name });
      }
    },
  }).visit(program);
  const isClear = ([name]: readonly [string, unknown]): boolean => !others.has(name);
  return {
    path,
    constants: new Map([...constants].filter(isClear)),
    imports: new Map([...imports].filter(isClear)),
    patternTakers,
  };
}

function boundNames(node: ESTree.ParamPattern): string[] {
  if (node.type === 'Identifier') return [node.name];
  if (node.type === 'AssignmentPattern') return boundNames(node.left);
  if (node.type === 'RestElement') return boundNames(node.argument);
  if (node.type === 'ArrayPattern') return node.elements.flatMap((element) => (element ? boundNames(element) : []));
  if (node.type === 'TSParameterProperty') return boundNames(node.parameter);
  return node.properties.flatMap((one) => boundNames(one.type === 'RestElement' ? one.argument : one.value));
}
