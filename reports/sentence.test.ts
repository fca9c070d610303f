import { describe, expect, test } from 'vitest';
import type { Clause } from '../contract/clause.ts';
import type { CheckOutcome, ClauseResult } from '../schemas/results.ts';
import { judge, type RunFacts } from './judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from './testing/sample-run.ts';
import { bareVerdictSentence, verdictSentence } from './sentence.ts';
import { howSure, oneIn, servedSentence } from './levels.ts';

const where = 'on http://127.0.0.1:8080 (seed 1729).';
const passing = [sampleClause('echo.a'), sampleClause('echo.b')];
const passed = passing.map(({ id }) => sampleOutcome(id));

function sentence(clauses: Clause[], outcomes: CheckOutcome[], facts: Partial<RunFacts> = {}): string {
  return bareVerdictSentence(
    judge({ ...sampleFacts, ...facts }, [...passing, ...clauses], [...passed, ...outcomes]),
    'en',
  );
}

const open = (id: string): CheckOutcome => sampleOutcome(id, { state: 'not-exercised', reason: 'r' });
const failed = (id: string): CheckOutcome => sampleOutcome(id, sampleFailure);

test('must clauses that were withheld are told apart, and counted in no other number', () => {
  const withheld = sampleClause('echo.c', { needs: ['real-issuance'] });
  expect(sentence([withheld], [open('echo.c')], { mayIssueForReal: false })).toBe(
    `Conformant: all 2 must clauses passed, 1 was withheld, ${where}`,
  );
  const alone = judge({ ...sampleFacts, mayIssueForReal: false }, [withheld], [open('echo.c')]);
  expect(bareVerdictSentence(alone, 'pt-BR')).toMatch(
    /^Conforme: nenhuma cláusula obrigatória foi julgada, 1 foi retida, em /,
  );
});

test('a run of one must clause has its own word for all of them', () => {
  const one = judge(sampleFacts, [sampleClause('echo.a')], [sampleOutcome('echo.a')]);
  expect(bareVerdictSentence(one, 'en')).toBe(`Conformant: the one must clause passed, ${where}`);
  expect(verdictSentence(one, 'pt-BR')).toMatch(/^Conforme: a única cláusula obrigatória passou, em /);
});

test.each<[string, CheckOutcome[], Partial<RunFacts>, string]>([
  ['conformant', [], {}, 'Conformant: all 2 must clauses passed'],
  ['incomplete', [open('echo.c')], {}, 'Incomplete: 2 of 3 must clauses passed, 1 was not exercised'],
  [
    'nonconformant',
    [...['echo.c', 'echo.d', 'echo.e'].map(failed), ...['echo.f', 'echo.g'].map(open)],
    {},
    'Nonconformant: 3 of 7 must clauses failed, 2 were not exercised',
  ],
  [
    'nonconformant by a stale list, with known deviations',
    [sampleOutcome('echo.c'), failed('echo.d')],
    { knownDeviations: { 'echo.c': 't', 'echo.d': 't' } },
    'Nonconformant: 2 of 4 must clauses passed, 1 known deviation is stale, 1 known deviation',
  ],
  [
    'nonconformant by an entry that is stale in part',
    [{ ...open('echo.a'), result: { ...open('echo.a').result, name: 'the other half' } }],
    { knownDeviations: { 'echo.a': 'T-1' } },
    'Nonconformant: 1 of 2 must clauses passed, 1 known deviation is stale',
  ],
  [
    'filtered',
    [],
    { filter: '--clause echo.*' },
    'Conformant, as far as asked for (--clause echo.*): all 2 must clauses passed',
  ],
])('a run that is %s says so', (_, outcomes, facts, said) => {
  const ids = new Set(outcomes.map(({ clause }) => clause).filter((id) => passing.every((clause) => clause.id !== id)));
  expect(
    sentence(
      [...ids].map((id) => sampleClause(id)),
      outcomes,
      facts,
    ),
  ).toBe(`${said}, ${where}`);
});

test('clauses that fail only under strict are counted apart, and else are warnings', () => {
  const implied = sampleClause('echo.c', { level: 'implied' });
  expect(sentence([implied], [failed('echo.c')], { strict: true })).toBe(
    `Nonconformant: all 2 must clauses passed, 1 of 1 others failed, ${where}`,
  );
  expect(sentence([implied], [failed('echo.c')])).toBe(`Conformant: all 2 must clauses passed, 1 warning, ${where}`);
});

test('a run without a judged clause says so', () => {
  const results = judge(sampleFacts, [sampleClause('echo.x', { binds: 'client' })], []);
  expect(verdictSentence(results)).toBe(`Conformant: there was no clause to judge, ${where}`);
});

const clause = (id: string, bound95: number | undefined, change: Partial<ClauseResult> = {}): ClauseResult => ({
  id,
  section: '5.2',
  level: 'must',
  binds: 'service',
  statement: 'It holds.',
  verdict: 'passed',
  checks: [],
  ...(bound95 === undefined ? {} : { observations: { right: 1, wrong: 0, bound95 } }),
  ...change,
});

describe('how sure a run is', () => {
  test('is told by the median of the passed must clauses, and by the one that was seen least', () => {
    const clauses = [clause('a.often', 0.001), clause('a.seldom', 0.95), clause('a.some', 0.0259)];
    expect(howSure({ verdict: 'conformant', clauses })).toEqual({
      median: { seen: 1, oneIn: 38 },
      least: { clause: 'a.seldom', seen: 1 },
    });
  });

  test('does not count what failed, what only recommends, and what was not counted', () => {
    const others = [
      clause('a.failed', 0.9, { verdict: 'failed' }),
      clause('a.recommended', 0.9, { level: 'should' }),
      clause('a.old', undefined),
    ];
    expect(howSure({ verdict: 'nonconformant', clauses: [...others, clause('a.some', 0.1)] })?.least.clause).toBe(
      'a.some',
    );
    expect(howSure({ verdict: 'nonconformant', clauses: others })).toBeUndefined();
  });

  test('is not told of a run that says nothing as a whole', () => {
    expect(howSure({ verdict: 'error', clauses: [clause('a.some', 0.1)] })).toBeUndefined();
  });

  test('is one in so many, rounded so that it never claims more than was seen', () => {
    expect(oneIn({ observations: { right: 57, wrong: 0, bound95: 0.0512 } })).toBe(19);
  });
});

describe('what passed by the answers of other checks alone', () => {
  const unbought = { ...sampleOutcome('a.x', {}).result, state: 'not-exercised', unbought: true } as const;
  const passed = sampleOutcome('a.x', {}).result;
  const checksOf = (...checks: ClauseResult['checks']) => ({ clauses: [clause('a.x', 0.5, { checks })] });

  test('is counted, in both languages', () => {
    const served = checksOf(unbought, { ...passed, inPassing: true });
    expect(servedSentence(served)).toMatch(/^1 clause passed by what other checks were answered alone/);
    expect(servedSentence(served, 'pt-BR')).toMatch(/^1 cláusula passou só pelo que outras/);
  });

  test('is nothing where a check of its own passed, or no budget was set', () => {
    expect(servedSentence(checksOf(unbought, passed))).toBeUndefined();
    expect(servedSentence(checksOf({ ...passed, inPassing: true }))).toBeUndefined();
  });
});
