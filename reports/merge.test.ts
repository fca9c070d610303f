import { describe, expect, test } from 'vitest';
import type { Clause } from '../contract/clause.ts';
import { leftBehind } from '../contract/endpoints.ts';
import type { Trouble } from '../contract/values.ts';
import type { CheckOutcome, Results } from '../schemas/results.ts';
import type { ObservedLadder, ObservedShape } from '../schemas/observed.ts';
import { errorResults, judge, type WhyNotRun } from './judge.ts';
import { mergeResults } from './merge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from './testing/sample-run.ts';

const ids = ['echo.a', 'echo.b', 'token.a', 'token.b'];
const clauses = [...ids.map((id) => sampleClause(id)), sampleClause('echo.unseen', { unobservable: 'it is hidden' })];
const whole = {
  clauses,
  lost: [],
  whyNotRun: ({ id }: Clause): WhyNotRun => ({ reason: `${id} was left out`, trouble: 'network' }),
};
const facts = { ...sampleFacts, startedAt: '2026-11-21T02:00:00.000Z', durationMs: 100, requests: 7 };

function shape(pointer: string): ObservedShape {
  const fields: ObservedShape['fields'] = [{ pointer, types: ['string'], always: true }];
  return { endpoint: 'echo', status: 200, responses: 1, contentTypes: ['application/json'], fields };
}

const ladder: ObservedLadder = {
  channel: 'issuance',
  source: 'stored',
  retriesSeconds: [60, 360],
  watchedSeconds: 900,
};

const outcomes: readonly CheckOutcome[] = [
  { ...sampleOutcome('echo.a'), shapes: [shape('/a')], order: [{ first: 'sign', second: 'body' }], ladders: [ladder] },
  {
    ...sampleOutcome('echo.b', { state: 'not-exercised', reason: 'needs a clock' }),
    ladders: [ladder, { ...ladder, channel: 'verification' }],
  },
  { ...sampleOutcome('token.a'), shapes: [shape('/b')], order: [{ first: 'sign', second: 'body' }] },
  { ...sampleOutcome('token.b'), order: [{ first: 'token', second: 'sign' }] },
];

/** A run of the clauses at these positions only. */
function partOf(positions: readonly number[], all: readonly CheckOutcome[] = outcomes, rest = {}): Results {
  const own = clauses.filter((_, position) => positions.includes(position));
  const isOwn = ({ clause }: CheckOutcome): boolean => own.some(({ id }) => id === clause);
  return judge({ ...facts, filter: `--shard of ${positions.join(' ')}`, ...rest }, own, all.filter(isOwn));
}

const failing = outcomes.map((outcome) =>
  outcome.clause === 'token.a' ? sampleOutcome('token.a', sampleFailure) : outcome,
);

describe('parts merge to what one run would have had', () => {
  test.each([
    ['incomplete', outcomes],
    ['nonconformant', failing],
    ['conformant', outcomes.map((outcome) => (outcome.clause === 'echo.b' ? sampleOutcome('echo.b') : outcome))],
  ])('%s', (verdict, all) => {
    const merged = mergeResults([partOf([3, 0, 4], all), partOf([1, 2], all)], whole);
    const { durationMs, requests, ...one } = judge(facts, clauses, all);
    expect(merged).toEqual({ ...one, durationMs: durationMs * 2, requests: requests * 2 });
    expect(merged.verdict).toBe(verdict);
  });

  test('with how far the whole reached, of which no part says anything', () => {
    const all = outcomes.map(({ clause }) => sampleOutcome(clause));
    const parts = [partOf([3, 0, 4], all), partOf([1, 2], all)] as const;
    expect(parts.map(({ level }) => level)).toEqual([undefined, undefined]);
    expect(mergeResults(parts, whole).level).toMatchObject({
      complete: 'control',
      reached: [{ exercised: 4, of: 4 }, {}, {}, {}],
    });
    expect(mergeResults(parts, { ...whole, filter: '--topic echo' })).not.toHaveProperty('level');
  });
});

test('the earliest start is that of the run, and counts add up', () => {
  const sideEffects = leftBehind((what) => (what === 'invoices' ? 31 : 2));
  const early = partOf([1, 3], outcomes, {
    startedAt: '2026-11-21T01:00:00.000Z',
    productionIssuances: 2,
    unanswered: 2,
    unsettled: { invoices: 1, of: 9, waitedMs: 8_000, slowestMs: 300 },
    refused: { code: 10_009_002, requests: 99, since: '2026-11-21T01:01:00.000Z' },
    spell: { from: '2026-11-21T01:01:00.000Z', to: '2026-11-21T01:01:20.000Z', status: 302, answers: 99, of: 99 },
    sideEffects,
  });
  const spell = { from: '2026-11-21T01:03:00.000Z', to: '2026-11-21T01:03:09.000Z', status: 503, answers: 10, of: 11 };
  const unsettled = { invoices: 2, of: 11, waitedMs: 6_000, slowestMs: 400 };
  const late = partOf([0, 2, 4], outcomes, { productionIssuances: 1, unanswered: 3, spell, unsettled, sideEffects });
  const merged = mergeResults([late, early], whole);
  expect(merged.startedAt).toBe('2026-11-21T01:00:00.000Z');
  expect(merged.productionIssuances).toBe(3);
  expect(merged.unanswered).toBe(5);
  expect(merged.unsettled).toEqual({ invoices: 3, of: 20, waitedMs: 8_000, slowestMs: 400 });
  expect(merged).toMatchObject({ refused: { requests: 99 }, spell: { answers: 99 } });
  expect(merged.sideEffects).toEqual(leftBehind((what) => (what === 'invoices' ? 62 : 4)));
});

test('a filter of the divided run stays', () => {
  const merged = mergeResults([partOf([0, 1, 2, 3, 4])], { ...whole, filter: '--topic echo' });
  expect(merged.filter).toBe('--topic echo');
});

describe('a part that is not there', () => {
  const lossy = { ...whole, lost: ['shard 2/2 left no results'] };

  test('makes the whole an error that names it, beside the clauses that were judged', () => {
    const merged = mergeResults([partOf([0, 2])], lossy);
    expect(merged).toMatchObject({
      verdict: 'error',
      error: 'shard 2/2 left no results',
      trouble: 'settings',
      counts: { passed: 2, notExercised: 2, unobservable: 1 },
    });
    expect(merged.clauses.map(({ verdict }) => verdict)).toEqual([
      'passed',
      'not-exercised',
      'passed',
      'not-exercised',
      'unobservable',
    ]);
    expect(merged.clauses[1]?.reason).toBe('echo.b was left out');
  });

  test('makes it an error even where only implied clauses were in it', () => {
    const implied = sampleClause('token.c', { level: 'implied' });
    const parts = [judge(facts, [sampleClause('echo.a')], [sampleOutcome('echo.a')])] as const;
    expect(mergeResults(parts, { ...lossy, clauses: [sampleClause('echo.a'), implied] }).verdict).toBe('error');
  });

  test('hides no failure of another part', () => {
    const merged = mergeResults([partOf([0, 2, 4], failing)], lossy);
    expect(merged.verdict).toBe('nonconformant');
    expect(merged).not.toHaveProperty('error');
  });

  test('is named beside a part that ended in an error', () => {
    const broken = errorResults({ ...facts, filter: '--shard 1/2' }, 'ECONNREFUSED', 'network');
    const merged = mergeResults([broken], lossy);
    expect(merged).toMatchObject({
      error: '--shard 1/2: ECONNREFUSED; shard 2/2 left no results',
      trouble: 'network',
      clauses: [],
    });
  });
});

describe('a part that ended in an error', () => {
  const broken = errorResults({ ...facts, filter: '--shard 2/2' }, 'connection refused', 'network');

  test('makes the whole an error that names it', () => {
    const merged = mergeResults([broken, partOf([0, 2, 4])], whole);
    expect(merged).toMatchObject({ verdict: 'error', error: '--shard 2/2: connection refused', trouble: 'network' });
  });

  test('leaves what it judged itself before the error', () => {
    const { clauses: own } = partOf([1, 3]);
    const stopped = errorResults({ ...facts, filter: '--shard 2/2' }, 'it was interrupted', 'settings', own);
    const merged = mergeResults([partOf([0, 2, 4]), stopped], whole);
    expect(merged).toMatchObject({ verdict: 'error', counts: { passed: 3, notExercised: 1 } });
  });

  test('is the suite’s trouble where one of several was, and else that of the first', () => {
    const error = (index: number, trouble: Trouble): Results =>
      errorResults({ ...facts, filter: `--shard ${index}/3` }, 'it broke', trouble);
    const troubleOf = (...parts: [Results, ...Results[]]) => mergeResults(parts, whole).trouble;
    expect(troubleOf(error(1, 'network'), error(2, 'settings'))).toBe('network');
    expect(troubleOf(error(1, 'network'), error(2, 'suite'))).toBe('suite');
  });

  test('lends the whole no heading: it knows the target least', () => {
    const { implementation: _, ...unnamed } = facts.target;
    const blind = errorResults({ ...facts, target: unnamed, clock: { movable: false } }, 'ECONNREFUSED', 'network');
    const { target, clock } = mergeResults([blind, partOf([0, 2, 4], failing)], whole);
    expect({ target, clock }).toEqual({ target: facts.target, clock: facts.clock });
  });

  test('hides no failure of another part', () => {
    const merged = mergeResults([broken, partOf([0, 2, 4], failing)], whole);
    expect(merged.verdict).toBe('nonconformant');
    expect(merged.clauses[1]).toMatchObject({
      verdict: 'not-exercised',
      reason: 'echo.b was left out',
      trouble: 'network',
    });
    expect(merged).not.toHaveProperty('error');
  });
});
