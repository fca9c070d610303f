import type {
  ClauseDifference,
  ClauseSide,
  Comparison,
  FieldDifference,
  FieldSide,
  ShapeDifference,
} from './compare.ts';
import { counted } from '../language.ts';
import { verdictLooks } from '../verdicts.ts';
import { shortened, visible } from '../visible.ts';

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
