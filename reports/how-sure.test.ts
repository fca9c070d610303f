import { describe, expect, test } from 'vitest';
import type { ClauseResult, Results } from '../schemas/results.ts';
import { sampleOutcome, sampleResults } from './testing/sample-run.ts';
import { howSure, howSureSentence, oneIn, servedSentence, sureSentences } from './how-sure.ts';

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

  test('stands in a sentence in both languages', () => {
    const sure = { median: { seen: 3594, oneIn: 1200 }, least: { clause: 'echo.envelope', seen: 3 } };
    expect(howSureSentence(sure)).toBe(
      'How sure (95 %): half of the passed must clauses rest on 3,594 answers or more, so that one wrong in 1,200 would have shown; echo.envelope, the least seen, on 3.',
    );
    expect(howSureSentence(sure, 'pt-BR')).toContain('uma errada em 1.200 teria aparecido');
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

test('a run that was asked to be so sure says of how many clauses it is, and which it saw too seldom', () => {
  const seen = (id: string, right: number): ClauseResult =>
    clause(id, 0.1, { observations: { right, wrong: 0, bound95: 0.1 } });
  const clauses = [seen('a.often', 60), seen('a.once', 1), seen('a.some', 20)];
  const run: Results = { ...sampleResults(), verdict: 'conformant', clauses };
  const [, asked] = sureSentences({ ...run, bound: { atMost: 0.05, confidence: 0.95, answers: 59 } });
  expect(asked).toBe(
    'Asked for: no more than 5 % wrong (95 %). That takes 59 answers, and 1 of 3 passed must clauses rest on as many; on fewer rest a.once (1), a.some (20).',
  );
  expect(sureSentences({ ...run, bound: { atMost: 0.5, confidence: 0.5, answers: 1 } }, 'pt-BR')[1]).toMatch(
    /^Pedido: .* 3 de 3 /,
  );
  expect(sureSentences(run)).toHaveLength(1);
});
