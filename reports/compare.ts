import type { ClauseResult, ClauseVerdict, Results } from '../schemas/results.ts';
import type { ObservedField, ObservedShape } from '../schemas/observed.ts';
import { breakageOf, judgementsOf, wasAskedFor } from './changes.ts';
import { failedChecks } from './evidence.ts';
import { counted, utc } from './language.ts';
import { verdictLooks } from './verdicts.ts';
import { shortened, visible } from './visible.ts';

/** Where two runs, A and B, differ. */
interface Comparison {
  readonly outcome: 'same' | 'different' | 'nothing-compared';
  readonly compared: { readonly clauses: number; readonly shapes: number };
  /** The facts of the runs that are not the same: they may explain a difference and count as none. */
  readonly context: readonly ContextDifference[];
  readonly clauses: readonly ClauseDifference[];
  readonly shapes: readonly ShapeDifference[];
  /** What was not compared and why, one sentence each. */
  readonly notCompared: readonly string[];
}

interface ContextDifference {
  readonly fact: string;
  readonly a: string;
  readonly b: string;
}

/**
 * A clause with another verdict, or that breaks in other ways; a side that is not there is of a run that knows no such clause.
 */
interface ClauseDifference {
  readonly id: string;
  readonly a?: ClauseSide;
  readonly b?: ClauseSide;
  /** The ways of breaking that only one of the runs saw, where the verdicts are the same. */
  readonly ways?: { readonly onlyA: readonly string[]; readonly onlyB: readonly string[] };
}

/** What a clause came to, and the first line of each text that says why. */
interface ClauseSide {
  readonly verdict: ClauseVerdict;
  readonly reason?: string;
  readonly expected?: string;
  readonly actual?: string;
}

/**
 * Compares two runs clause by clause and shape by shape. What only one of them was asked for is not compared, shapes only
 * where both were asked for the same; a run that ended in an error compares with nothing.
 */
export function compareResults(a: Results, b: Results): Comparison {
  const clauses = clausePairs(a, b);
  const shapes = whyNoShapes(a, b) === undefined ? shapePairs(a.shapes ?? [], b.shapes ?? []) : [];
  const differences = { clauses: clauses.flatMap(clauseDifference), shapes: shapes.flatMap(shapeDifference) };
  const isSame = differences.clauses.length + differences.shapes.length === 0;
  return {
    outcome: clauses.length + shapes.length === 0 ? 'nothing-compared' : isSame ? 'same' : 'different',
    compared: { clauses: clauses.length, shapes: shapes.length },
    context: contextDifferences(a, b),
    ...differences,
    notCompared: notCompared(a, b),
  };
}

/** The clauses to compare: all that either run has, but those that the other one was not asked for. */
function clausePairs(a: Results, b: Results): Pair<ClauseResult>[] {
  if (errors(a, b).length > 0) return [];
  const [ofA, ofB] = [judgementsOf(a), judgementsOf(b)];
  return pairsBy(a.clauses, b.clauses, ({ id }) => id).filter((pair) => {
    const id = (pair.a ?? pair.b)?.id ?? '';
    return wasAskedFor(id, ofA, ofB) && wasAskedFor(id, ofB, ofA);
  });
}

function clauseDifference({ a, b }: Pair<ClauseResult>): ClauseDifference[] {
  const ways = a && b && a.verdict === b.verdict ? waysDifference(a, b) : undefined;
  if (a?.verdict === b?.verdict && !ways) return [];
  const sides = { ...(a && { a: clauseSide(a) }), ...(b && { b: clauseSide(b) }) };
  return [{ id: (a ?? b)?.id ?? '', ...sides, ...(ways && { ways }) }];
}

/** How two broken clauses break differently, where both runs tried every example; `undefined` where they don't. */
function waysDifference(a: ClauseResult, b: ClauseResult): ClauseDifference['ways'] {
  const [ofA, ofB] = [breakageOf(a), breakageOf(b)].map((lines) => lines && new Set(lines));
  if (!ofA || !ofB || ofA.symmetricDifference(ofB).size === 0) return undefined;
  return { onlyA: [...ofA.difference(ofB)], onlyB: [...ofB.difference(ofA)] };
}

function clauseSide(clause: ClauseResult): ClauseSide {
  const { verdict, reason } = clause;
  const error = failedChecks(clause)[0]?.error;
  return {
    verdict,
    ...(reason === undefined ? {} : { reason: firstLine(reason) }),
    ...(error && { expected: firstLine(error.expected), actual: firstLine(error.actual) }),
  };
}

function notCompared(a: Results, b: Results): string[] {
  const broken = errors(a, b);
  if (broken.length > 0) return broken;
  const whyNot = whyNoShapes(a, b);
  return [
    ...leftOut('A', a, 'B', b),
    ...leftOut('B', b, 'A', a),
    ...(whyNot === undefined ? [] : [`shapes are not compared: ${whyNot}`]),
  ];
}

function errors(a: Results, b: Results): string[] {
  const sentence = (name: string, run: Results): string[] =>
    run.verdict === 'error' ? [`run ${name} ended in an error and compares with nothing: ${firstLine(run.error)}`] : [];
  return [...sentence('A', a), ...sentence('B', b)];
}

/** How many clauses of a run the other one was not asked for. */
function leftOut(name: string, run: Results, otherName: string, other: Results): string[] {
  const [own, others] = [judgementsOf(run), judgementsOf(other)];
  const count = run.clauses.filter(({ id }) => !wasAskedFor(id, others, own)).length;
  if (count === 0) return [];
  const clauses = counted(count, `clause of ${name} is`, `clauses of ${name} are`);
  return [`${clauses} not compared: ${otherName} was asked for ${other.filter} only`];
}

function whyNoShapes(a: Results, b: Results): string | undefined {
  if (errors(a, b).length > 0) return 'a run ended in an error';
  const without = [...(a.shapes ? [] : ['A']), ...(b.shapes ? [] : ['B'])];
  if (without.length > 0) return `${without.join(' and ')} recorded none`;
  return a.filter === b.filter ? undefined : 'the runs were not asked for the same clauses';
}

function contextDifferences(a: Results, b: Results): ContextDifference[] {
  const ofB = new Map(factsOf(b));
  return factsOf(a)
    .map(([fact, text]) => ({ fact, a: text, b: ofB.get(fact) ?? '' }))
    .filter((difference) => difference.a !== difference.b);
}

function factsOf({ target, ...run }: Results): [string, string][] {
  return [
    ['verdict', run.verdict],
    ['level complete', run.level === undefined ? 'not told' : (run.level.complete ?? 'none')],
    ['suite', suiteText(run.suite)],
    ['target', `${target.kind} at ${target.baseUrl}`],
    ['implementation', target.implementation ?? 'unknown'],
    ['control API', target.control ? 'used' : 'none'],
    ['profile', target.profile],
    ['asked for', run.filter ?? 'everything'],
    ['started', utc(run.startedAt)],
    ['seed', String(run.seed)],
    ['cases per property', String(run.numRuns)],
  ];
}

function suiteText(suite: Results['suite']): string {
  return suite ? [suite.version, suite.commit].filter((part) => part !== undefined).join(', commit ') : 'unknown';
}

function firstLine(text = ''): string {
  return text.split(/\r?\n/, 1)[0] ?? '';
}

/** How the answers of an endpoint with one status differ; a run with no responses saw no such answer. */
interface ShapeDifference {
  readonly endpoint: string;
  readonly status: number;
  readonly responses: Sides<number>;
  readonly contentTypes?: Sides<readonly string[]>;
  readonly fields: readonly FieldDifference[];
}

interface Sides<T> {
  readonly a: T;
  readonly b: T;
}

/** A field that only one of the runs saw, or that was of other types, or that was always there in one of them only. */
interface FieldDifference {
  readonly pointer: string;
  readonly a?: FieldSide;
  readonly b?: FieldSide;
}

type FieldSide = Pick<ObservedField, 'types' | 'always'>;

/** The shapes of two runs, paired by endpoint and status. */
function shapePairs(a: readonly ObservedShape[], b: readonly ObservedShape[]): Pair<ObservedShape>[] {
  return pairsBy(a, b, ({ endpoint, status }) => `${status} ${endpoint}`);
}

/** The difference of a pair, or none. Of an answer that only one run saw, nothing but that is told. */
function shapeDifference({ a, b }: Pair<ObservedShape>): ShapeDifference[] {
  const either = a ?? b;
  if (!either) return [];
  const { endpoint, status } = either;
  const responses = { a: a?.responses ?? 0, b: b?.responses ?? 0 };
  if (!a || !b) return [{ endpoint, status, responses, fields: [] }];
  const fields = pairsBy(a.fields, b.fields, ({ pointer }) => pointer).flatMap(fieldDifference);
  const hasSameTypes = isSame(a.contentTypes, b.contentTypes);
  if (hasSameTypes && fields.length === 0) return [];
  const contentTypes = { a: a.contentTypes, b: b.contentTypes };
  return [{ endpoint, status, responses, ...(hasSameTypes ? {} : { contentTypes }), fields }];
}

function fieldDifference({ a, b }: Pair<ObservedField>): FieldDifference[] {
  if (a && b && a.always === b.always && isSame(a.types, b.types)) return [];
  return [{ pointer: (a ?? b)?.pointer ?? '', ...(a && { a: sideOf(a) }), ...(b && { b: sideOf(b) }) }];
}

function sideOf({ types, always }: ObservedField): FieldSide {
  return { types, always };
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return new Set(a).symmetricDifference(new Set(b)).size === 0;
}

/** What two lists have under one key; at least one of them has something. */
interface Pair<T> {
  readonly a: T | undefined;
  readonly b: T | undefined;
}

/** Pairs the entries of two lists by key: in the order of the first list, then what only the second one has. */
function pairsBy<T>(a: readonly T[], b: readonly T[], keyOf: (entry: T) => string): Pair<T>[] {
  const byKey = (list: readonly T[]): Map<string, T> => new Map(list.map((entry) => [keyOf(entry), entry]));
  const [ofA, ofB] = [byKey(a), byKey(b)];
  return [...new Set([...ofA.keys(), ...ofB.keys()])].map((key) => ({ a: ofA.get(key), b: ofB.get(key) }));
}

const longestValue = 400;

/** A comparison, line by line: the runs, clauses, shapes, what was not compared, and whether they are the same. */
export function comparisonLines(comparison: Comparison): string[] {
  const { context, clauses, shapes, notCompared } = comparison;
  const blocks = [
    block(
      'The runs',
      context.map(({ fact, a, b }) => `  ${fact}  A ${shown(a)}, B ${shown(b)}`),
    ),
    block('Clauses', clauses.flatMap(clauseLines)),
    block('Shapes', shapes.flatMap(shapeLines)),
    block(
      'Not compared',
      notCompared.map((sentence) => `  ${shown(sentence)}`),
    ),
    [lastSentence(comparison)],
  ];
  const texts = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return texts.join('\n\n').split('\n');
}

function block(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

/** Ways of breaking that are told of a side; the JSON has them all. */
const mostWays = 12;

function clauseLines({ id, a, b, ways }: ClauseDifference): string[] {
  if (a && ways) {
    const head = `  ${shown(id)}  ${word(a)} in both, broken otherwise`;
    return [head, ...wayLines('A', ways.onlyA), ...wayLines('B', ways.onlyB)];
  }
  const whole = a && b && `${word(a)} in A, ${word(b)} in B`;
  const head = whole ?? (a ? `only in A: ${word(a)}` : `only in B: ${b ? word(b) : ''}`);
  return [`  ${shown(id)}  ${head}`, ...whyLines('A', a), ...whyLines('B', b)];
}

function wayLines(name: string, ways: readonly string[]): string[] {
  const more = ways.length - mostWays;
  return [
    ...ways.slice(0, mostWays).map((way) => `    only in ${name}  ${shown(way)}`),
    ...(more > 0 ? [`    only in ${name}  ${counted(more, 'more way')}`] : []),
  ];
}

function word({ verdict }: ClauseSide): string {
  return verdictLooks.find((look) => look.verdict === verdict)?.words.en ?? verdict;
}

function whyLines(name: string, side: ClauseSide | undefined): string[] {
  const texts = [
    ['reason', side?.reason],
    ['expected', side?.expected],
    ['actual', side?.actual],
  ] as const;
  return texts.flatMap(([label, text]) =>
    text === undefined ? [] : [`    ${name} ${label.padEnd(9)} ${shown(text)}`],
  );
}

function shapeLines({ endpoint, status, responses, contentTypes, fields }: ShapeDifference): string[] {
  const head = `  ${shown(endpoint)} ${status}`;
  if (responses.b === 0) return [`${head}  only in A: ${counted(responses.a, 'response')}`];
  if (responses.a === 0) return [`${head}  only in B: ${counted(responses.b, 'response')}`];
  const types = contentTypes && sides(contentTypes.a.join(', '), contentTypes.b.join(', '));
  return [head, ...(types === undefined ? [] : [`    content type  ${types}`]), ...fields.map(fieldLine)];
}

function fieldLine({ pointer, a, b }: FieldDifference): string {
  const name = pointer === '' ? 'the body' : shown(pointer);
  return `    ${name}  ${sides(a && fieldText(a), b && fieldText(b))}`;
}

function fieldText({ types, always }: FieldSide): string {
  return `${types.join(' or ')}, ${always ? 'always' : 'sometimes'}`;
}

function sides(a: string | undefined, b: string | undefined): string {
  if (a !== undefined && b !== undefined) return `A ${shown(a)}; B ${shown(b)}`;
  return a === undefined ? `only in B: ${shown(b ?? '')}` : `only in A: ${shown(a)}`;
}

function lastSentence({ outcome, compared, clauses, shapes }: Comparison): string {
  const sum = (a: number, b: number): string => `${counted(a, 'clause')} and ${counted(b, 'shape')}`;
  switch (outcome) {
    case 'nothing-compared':
      return 'nothing was compared';
    case 'same':
      return `same: ${sum(compared.clauses, compared.shapes)} compared`;
    case 'different':
      return `${sum(clauses.length, shapes.length)} differ`;
  }
}

function shown(text: string): string {
  return visible(shortened(text, longestValue));
}
