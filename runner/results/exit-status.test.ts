import { describe, expect, test } from 'vitest';
import { type Clause, assuranceLevels } from '../../contract/clause.ts';
import { errorResults, judge } from '../../reports/judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from '../../reports/sample-run.ts';
import type { CheckResult, Results } from '../../schemas/results.ts';
import { endingOf, type Requirements } from './exit-status.ts';

const clauses: readonly Clause[] = [
  sampleClause('echo.secret'),
  sampleClause('echo.credentials', { needs: ['disabled-application'] }),
  sampleClause('echo.receiver', { needs: ['callbacks'] }),
  sampleClause('echo.control', { needs: ['movable-clock'] }),
];
const open: Partial<CheckResult> = { state: 'not-exercised', reason: 'needs more' };

/** A run of a clause of each level, of which so many passed and the others came to something else. */
function runOf(passing: number, otherwise: Partial<CheckResult> = open, facts = {}): Results {
  const outcomes = clauses.map(({ id }, index) => sampleOutcome(id, index < passing ? {} : otherwise));
  return judge({ ...sampleFacts, ...facts }, clauses, outcomes);
}

const nothing: Requirements = { requireComplete: false, requireLevel: undefined };
const statusOf = (results: Results, required: Partial<Requirements> = {}): number =>
  endingOf(results, { ...nothing, ...required }).status;

describe('without requirements', () => {
  test.each([
    ['conformant', runOf(4), 0],
    ['incomplete', runOf(2), 0],
    ['nonconformant', runOf(3, sampleFailure), 1],
    ['error', errorResults(sampleFacts, 'ECONNREFUSED', 'network'), 2],
  ])('a run that is %s ends by its verdict alone, without a word', (verdict, results, status) => {
    expect(results.verdict).toBe(verdict);
    expect(endingOf(results, nothing)).toEqual({ status, notes: [] });
  });
});

describe('NFE_REQUIRE_COMPLETE', () => {
  test('ends an incomplete run with 1, and says how many must clauses were not exercised', () => {
    expect(endingOf(runOf(2), { ...nothing, requireComplete: true })).toEqual({
      status: 1,
      notes: ['Exit status 1: NFE_REQUIRE_COMPLETE is true, and 2 must clauses were not exercised'],
    });
    expect(statusOf(runOf(4), { requireComplete: true })).toBe(0);
  });

  test('does not mind what was withheld', () => {
    const withheld = sampleClause('echo.withheld', { needs: ['real-issuance'] });
    const outcomes = [sampleOutcome('echo.secret'), sampleOutcome(withheld.id, open)];
    const results = judge({ ...sampleFacts, mayIssueForReal: false }, [...clauses.slice(0, 1), withheld], outcomes);
    expect(statusOf(results, { requireComplete: true, requireLevel: 'control' })).toBe(0);
  });
});

describe('NFE_REQUIRE_LEVEL', () => {
  test.each(assuranceLevels.map((level, index) => [level, index] as const))(
    '%s is met by a run that completes it or a level above it, and by no other',
    (requireLevel, rank) => {
      const statuses = [0, 1, 2, 3, 4].map((passing) => statusOf(runOf(passing), { requireLevel }));
      expect(statuses).toEqual([0, 1, 2, 3, 4].map((passing) => (passing > rank ? 0 : 1)));
    },
  );

  test('says how far the level is that was required', () => {
    expect(endingOf(runOf(1), { ...nothing, requireLevel: 'receiver' }).notes).toEqual([
      'Exit status 1: NFE_REQUIRE_LEVEL is receiver, which is not complete: level receiver: 1 of 3 exercised',
    ]);
  });

  test('is not met by a run whose known deviation is a must clause of it', () => {
    const known = judge(
      { ...sampleFacts, knownDeviations: { 'echo.secret': 'TICKET-1' } },
      clauses,
      clauses.map(({ id }) => sampleOutcome(id, id === 'echo.secret' ? sampleFailure : {})),
    );
    expect(known.verdict).toBe('conformant');
    expect(endingOf(known, { ...nothing, requireLevel: 'secret' })).toEqual({
      status: 1,
      notes: [
        'Exit status 1: NFE_REQUIRE_LEVEL is secret, which is not complete: level secret: all 1 exercised, not all hold',
      ],
    });
  });

  test('is not held against a run of a part, which says nothing of levels, and that is said', () => {
    const part = runOf(4, open, { filter: '--topic echo' });
    expect(endingOf(part, { ...nothing, requireLevel: 'control' })).toEqual({
      status: 0,
      notes: [
        'NFE_REQUIRE_LEVEL is control, of which these results say nothing: only a run of the whole suite is held to it',
      ],
    });
  });

  test('leaves a failure and an error what they are', () => {
    expect(statusOf(runOf(3, sampleFailure), { requireLevel: 'control' })).toBe(1);
    expect(statusOf(errorResults(sampleFacts, 'why', 'network'), { requireLevel: 'secret' })).toBe(2);
  });
});

test('each requirement that is not met is told', () => {
  const { notes } = endingOf(runOf(1), { requireComplete: true, requireLevel: 'control' });
  expect(notes.map((note) => /NFE_\w+/.exec(note)?.[0])).toEqual(['NFE_REQUIRE_COMPLETE', 'NFE_REQUIRE_LEVEL']);
});
