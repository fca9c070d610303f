import { describe, expect, test } from 'vitest';
import type { CheckResult, ClauseVerdict, Results } from '../schemas/results.ts';
import type { ObservedShape } from '../schemas/observed.ts';
import { comparisonLines, compareResults } from './compare.ts';
import { errorResults, judge } from './judge.ts';
import {
  hostileResults,
  sampleClause,
  sampleFacts,
  sampleFailure,
  sampleOutcome,
  sampleResults,
} from './testing/sample-run.ts';

const echoShape: ObservedShape = {
  endpoint: 'echo',
  status: 200,
  responses: 7,
  contentTypes: ['application/json'],
  fields: [
    { pointer: '', types: ['object'], always: true },
    { pointer: '/data', types: ['object'], always: true },
  ],
};
const refusal: ObservedShape = { ...echoShape, status: 401, responses: 1 };

function run(verdicts: Readonly<Record<string, ClauseVerdict>>, rest: Partial<Results> = {}): Results {
  const ids = Object.keys(verdicts);
  const clauses = ids.map((id) => sampleClause(id));
  const results = judge(
    sampleFacts,
    clauses,
    ids.map((id) => sampleOutcome(id)),
  );
  for (const clause of results.clauses) clause.verdict = verdicts[clause.id] ?? 'passed';
  return { ...results, shapes: [echoShape], ...rest };
}

/** A run with one passed clause and these shapes. */
function runWith(...shapes: ObservedShape[]): Results {
  return run({ 'echo.a': 'passed' }, { shapes });
}

function lastLine(a: Results, b: Results): string | undefined {
  return comparisonLines(compareResults(a, b)).at(-1);
}

describe('the same', () => {
  test('is a run as itself, whatever its texts hold', () => {
    for (const results of [sampleResults(), hostileResults()]) {
      expect(compareResults(results, results)).toMatchObject({ outcome: 'same', context: [], clauses: [], shapes: [] });
    }
    expect(lastLine(runWith(echoShape), runWith(echoShape))).toBe('same: 1 clause and 1 shape compared');
  });

  test('are runs that differ in seed, time and target only, which is told', () => {
    const other = { ...runWith(echoShape), seed: 5, startedAt: '2026-11-22T02:00:00.000Z' };
    const { outcome, context } = compareResults(runWith(echoShape), {
      ...other,
      target: { ...other.target, baseUrl: 'http://b' },
    });
    expect(outcome).toBe('same');
    expect(context).toEqual([
      { fact: 'target', a: 'sandbox at http://127.0.0.1:8080', b: 'sandbox at http://b' },
      { fact: 'started', a: '2026-11-21 02:00:00 UTC', b: '2026-11-22 02:00:00 UTC' },
      { fact: 'seed', a: '1729', b: '5' },
    ]);
  });

  test('are shapes that were seen in other numbers or list their types in another order', () => {
    const types = ['null', 'string'] as const;
    const fields = (order: ObservedShape['fields'][number]['types']): ObservedShape['fields'] => [
      { pointer: '', types: order, always: true },
    ];
    const a = { ...echoShape, fields: fields([...types]) };
    const b = { ...echoShape, responses: 90, fields: fields(types.toReversed()) };
    expect(compareResults(runWith(a), runWith(b)).outcome).toBe('same');
  });
});

describe('a clause differs', () => {
  test('when its verdict changed, with the first line of what was expected and what came', () => {
    const failure: Partial<CheckResult> = {
      ...sampleFailure,
      error: { title: 't', expected: '401\r\nand more', actual: '200\nand more' },
    };
    const clause = sampleClause('echo.a');
    const passed = judge(sampleFacts, [clause], [sampleOutcome('echo.a')]);
    const failed = judge(sampleFacts, [clause], [sampleOutcome('echo.a'), sampleOutcome('echo.a', failure)]);
    const comparison = compareResults(passed, failed);
    expect(comparison.clauses).toEqual([
      { id: 'echo.a', a: { verdict: 'passed' }, b: { verdict: 'failed', expected: '401', actual: '200' } },
    ]);
    expect(comparisonLines(comparison)).toEqual(
      expect.arrayContaining([
        '  echo.a  passed in A, failed in B',
        '    B expected  401',
        '    B actual    200',
        '1 clause and 0 shapes differ',
      ]),
    );
  });

  test('when only one of two whole runs has it', () => {
    const [one, two] = [run({ 'echo.a': 'passed' }), run({ 'echo.a': 'passed', 'echo.b': 'failed' })];
    expect(compareResults(one, two).clauses).toEqual([{ id: 'echo.b', b: { verdict: 'failed' } }]);
    expect(comparisonLines(compareResults(one, two))).toContain('  echo.b  only in B: failed');
    expect(comparisonLines(compareResults(two, one))).toContain('  echo.b  only in A: failed');
  });
});

describe('a shape differs', () => {
  const withField = (field: ObservedShape['fields'][number]): ObservedShape => ({
    ...echoShape,
    fields: [...echoShape.fields, field],
  });
  const text = { pointer: '/data/x', types: ['string' as const], always: true };

  test('when a field is in one run only', () => {
    const comparison = compareResults(runWith(echoShape), runWith(withField(text)));
    expect(comparison.shapes).toEqual([
      {
        endpoint: 'echo',
        status: 200,
        responses: { a: 7, b: 7 },
        fields: [{ pointer: '/data/x', b: { types: ['string'], always: true } }],
      },
    ]);
    expect(comparisonLines(comparison)).toEqual([
      'Shapes',
      '  echo 200',
      '    /data/x  only in B: string, always',
      '',
      '0 clauses and 1 shape differ',
    ]);
  });

  test.each([
    [{ ...text, types: ['null', 'string'] as const }, 'null or string, always'],
    [{ ...text, always: false }, 'string, sometimes'],
  ])('when a field has other types or is not always there', (field, words) => {
    const other = withField({ ...field, types: [...field.types] });
    expect(comparisonLines(compareResults(runWith(withField(text)), runWith(other)))).toContain(
      `    /data/x  A string, always; B ${words}`,
    );
  });

  test('when its content type is another', () => {
    const xml = { ...echoShape, contentTypes: ['text/xml'] };
    const { shapes } = compareResults(runWith(echoShape), runWith(xml));
    expect(shapes).toMatchObject([{ contentTypes: { a: ['application/json'], b: ['text/xml'] }, fields: [] }]);
    expect(comparisonLines(compareResults(runWith(echoShape), runWith(xml)))).toContain(
      '    content type  A application/json; B text/xml',
    );
  });

  test('when only one run saw that status', () => {
    const [one, two] = [runWith(echoShape), runWith(echoShape, refusal)];
    expect(comparisonLines(compareResults(one, two))).toContain('  echo 401  only in B: 1 response');
    expect(comparisonLines(compareResults(two, one))).toContain('  echo 401  only in A: 1 response');
    expect(lastLine(one, two)).toBe('0 clauses and 1 shape differ');
    expect(lastLine(one, runWith({ ...echoShape, endpoint: 'other' }))).toBe('0 clauses and 2 shapes differ');
  });
});

describe('not compared', () => {
  const whole = run({ 'echo.a': 'passed', 'echo.b': 'passed', 'token.a': 'passed' });
  const part = run({ 'echo.a': 'failed' }, { filter: '--clause echo.a', shapes: [refusal] });

  test('are clauses that one run was not asked for, and then no shapes', () => {
    const comparison = compareResults(whole, part);
    expect(comparison.clauses.map(({ id }) => id)).toEqual(['echo.a']);
    expect(comparison).toMatchObject({ compared: { clauses: 1, shapes: 0 }, shapes: [] });
    expect(comparison.notCompared).toEqual([
      '2 clauses of A are not compared: B was asked for --clause echo.a only',
      'shapes are not compared: the runs were not asked for the same clauses',
    ]);
    expect(compareResults(part, whole).notCompared[0]).toBe(
      '2 clauses of B are not compared: A was asked for --clause echo.a only',
    );
  });

  test('is nothing where both runs were asked for the same part', () => {
    const other = run({ 'echo.a': 'failed', 'echo.new': 'passed' }, { filter: '--clause echo.a', shapes: [echoShape] });
    const comparison = compareResults(part, other);
    expect(comparison.notCompared).toEqual([]);
    expect(comparison.clauses).toEqual([{ id: 'echo.new', b: { verdict: 'passed' } }]);
    expect(comparison.shapes).toHaveLength(2);
  });

  test('is anything with a run that ended in an error', () => {
    const error = errorResults(sampleFacts, 'ECONNREFUSED: connect\nat line 2', 'network');
    const sentence = 'ended in an error and compares with nothing: ECONNREFUSED: connect';
    for (const [a, b, name] of [
      [error, whole, 'A'],
      [whole, error, 'B'],
    ] as const) {
      const comparison = compareResults(a, b);
      expect(comparison).toMatchObject({ outcome: 'nothing-compared', clauses: [], shapes: [] });
      expect(comparison.notCompared).toEqual([`run ${name} ${sentence}`]);
    }
    expect(compareResults(error, error).notCompared).toHaveLength(2);
  });

  test('are shapes where a run recorded none', () => {
    const { shapes: _, ...without } = whole;
    expect(compareResults(without, whole)).toMatchObject({
      outcome: 'same',
      compared: { clauses: 3, shapes: 0 },
      notCompared: ['shapes are not compared: A recorded none'],
    });
    expect(compareResults(without, without).notCompared).toEqual(['shapes are not compared: A and B recorded none']);
  });
});

test('no line holds what no eye can see', () => {
  const lines = comparisonLines(compareResults(hostileResults(), sampleResults()));
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(2_000);
});
