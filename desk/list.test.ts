import { expect, test } from 'vitest';
import { catalogue, findClause, isJudged } from '../contract/catalogue.ts';
import { explainLines, whereLines } from './list.ts';

test('a clause is explained with what the contract says of it, in its words', () => {
  const clause = findClause('retirement.no-grace-period');
  expect(clause && explainLines(clause)).toContain('  the contract, 4.3: There is no grace period.');
});

test('a clause is explained with how its doubtful places are read', () => {
  const clause = findClause('webhook-delivery.redirect-not-followed');
  expect(clause && explainLines(clause).join('\n')).toMatch(/^ {2}reading 31: A redirect is a failed attempt/m);
});

test('a clause is explained with where it is stated, judged, gathered, broken and implemented', () => {
  const places = whereLines('timestamp.past-refused').map((line) => line.replaceAll(/:\d+/g, ''));
  expect(places).toEqual([
    'stated in contract/clauses/timestamp.ts',
    'judged in judge/flaws.ts, judge/gateway.ts',
    'gathered in specs/timestamp.spec.ts',
    'broken in mutants/kinds-of-request.ts, mutants/timestamp.ts',
    'implemented in simulator/rules/timestamp.ts, and what imports it',
  ]);
});

test.each([
  ['signature.order', 'judged in judge/gateway.ts, with all of its topic'],
  ['webhook-delivery.dead-letter', 'judged by what its checks compare'],
])('a clause that the judge does not name by itself is judged all the same: %s', (id, line) => {
  expect(whereLines(id)).toContain(line);
});

test('every clause that a run judges is stated, judged, gathered and broken somewhere', () => {
  for (const { id } of catalogue.filter(isJudged)) {
    const deeds = whereLines(id).map((line) => line.split(' ')[0]);
    expect(deeds, id).toEqual(expect.arrayContaining(['stated', 'judged', 'gathered', 'broken']));
  }
});
