import { describe, expect, test } from 'vitest';
import { catalogue, isJudged } from '../contract/catalogue.ts';
import type { CheckOutcome, CheckResult, ClauseResult, ClauseVerdict } from '../schemas/results.ts';
import { withBlocked } from './blocked.ts';
import { judge, runVerdict, clauseNotRun, errorResults } from './judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from './testing/sample-run.ts';
import { testCases } from './test-cases.ts';
import { troublesOf } from './troubles.ts';

const sent = 'verdict-event.sent-when-settled';
const retried = 'webhook-delivery.other-status-retried';
const delays = 'webhook-delivery.retry-delays';

const own = { error: { title: 'the rule', expected: 'a', actual: 'b' } };
const premise = { error: { ...own.error, premise: true as const } };
const inPassing = { ...own, inPassing: true as const };

function check(rest: Partial<CheckResult> = own, state: CheckResult['state'] = 'failed'): CheckResult {
  return { name: 'the rule', file: '', state, durationMs: 0, cases: 1, assertions: 1, ...rest };
}

/** A clause of the catalogue that came to a verdict, with the checks that failed. */
function clause(id: string, verdict: ClauseVerdict = 'failed', checks = [check()]): ClauseResult {
  return { id, section: '6', level: 'must', binds: 'service', statement: id, verdict, checks };
}

/** What becomes of a clause beside others. */
function judged(which: ClauseResult, ...others: ClauseResult[]): ClauseResult | undefined {
  return withBlocked([which, ...others]).find(({ id }) => id === which.id);
}

describe('a clause that failed is blocked', () => {
  test('by what it stands on, where that was never seen to hold', () => {
    expect(judged(clause(delays), clause(retried))).toMatchObject({
      verdict: 'blocked',
      reason: `blocked by ${retried}`,
      blockedBy: [retried],
      trouble: 'target',
      checks: [{ state: 'failed' }],
    });
  });

  test('by what is not blocked itself, over several steps', () => {
    expect(judged(clause(delays), clause(retried), clause(sent))?.blockedBy).toEqual([sent]);
    expect(judged(clause(retried), clause(delays), clause(sent))?.blockedBy).toEqual([sent]);
  });

  test('by what was seen to hold at times only where its checks did not come to their own rule', () => {
    const atTimes = { ...clause(retried), alsoHeld: true as const };
    expect(judged(clause(delays), atTimes)?.verdict).toBe('failed');
    expect(judged(clause(delays, 'failed', [check(premise)]), atTimes)?.blockedBy).toEqual([retried]);
  });

  test('where it needs a company and was not exercised, by the registration that names none', () => {
    const issuance = clause('nfe-issuance.no-content', 'not-exercised', [
      check({ trouble: 'target' }, 'not-exercised'),
    ]);
    const naming = clause('empresa-registration.empresa-id');
    expect(judged(issuance, naming)?.blockedBy).toEqual([naming.id]);
    expect(judged(issuance, { ...naming, alsoHeld: true })?.verdict).toBe('not-exercised');
    expect(judged(clause('nfe-issuance.no-content'), naming)?.verdict).toBe('failed');
  });

  test('where it needs a document, though nothing was tried of it, by the endpoint that gives none a verdict', () => {
    const lacking = { ...check({ trouble: 'settings' }, 'not-exercised'), exchangesMade: 0 };
    const bare = clause('nfe-verification.bare', 'not-exercised', [lacking]);
    const verdicts = clause('nfe-verification.validation-status');
    expect(judged(bare, verdicts)?.blockedBy).toEqual([verdicts.id]);
    expect(judged(bare, { ...verdicts, alsoHeld: true })?.verdict).toBe('not-exercised');
    expect(judged(bare, clause('echo.status'))?.verdict).toBe('not-exercised');
  });

  test('never by what holds, was not exercised or is no part of the run', () => {
    const untold = clause(delays, 'failed', [check(premise)]);
    for (const verdict of ['passed', 'not-exercised', 'withheld', 'unobservable'] as const)
      expect(judged(untold, clause(retried, verdict, []))?.verdict).toBe('failed');
    expect(judged(untold)?.verdict).toBe('failed');
  });

  test('never by what it does not stand on', () => {
    expect(judged(clause(retried), clause(delays), clause('retirement.gone'))?.verdict).toBe('failed');
  });

  test('not where single answers or deliveries show it broken', () => {
    expect(judged(clause(delays, 'failed', [check(premise), check(inPassing)]), clause(retried))?.verdict).toBe(
      'failed',
    );
  });

  test('not where one of its checks failed for itself', () => {
    const atTimes = { ...clause(retried), alsoHeld: true as const };
    expect(judged(clause(delays, 'failed', [check(premise), check()]), atTimes)?.verdict).toBe('failed');
  });

  test('not where a list of known deviations speaks of it', () => {
    const listed = { ...clause(delays), reason: 'no known deviation covers this' };
    expect(judged(listed, clause(retried))).toEqual(listed);
    expect(judged(clause(delays, 'known'), clause(retried))?.verdict).toBe('known');
  });
});

describe('what is accepted or only warns', () => {
  test('blocks what was not put to the test, and the run is incomplete at best', () => {
    for (const verdict of ['known', 'warned'] as const) {
      const clauses = withBlocked([clause(delays, 'failed', [check(premise)]), clause(retried, verdict)]);
      expect(runVerdict(clauses)).toBe('incomplete');
    }
  });

  test('blocks what failed for itself only where neither would fail the run', () => {
    expect(judged(clause(delays), clause(retried, 'known'))?.verdict).toBe('failed');
    expect(judged(clause(delays), clause(retried, 'warned'))?.verdict).toBe('failed');
    expect(judged(clause(delays, 'warned'), clause(retried, 'warned'))?.blockedBy).toEqual([retried]);
  });
});

test('whatever fails, every blocker has failed and is not blocked, and the run is as red as before', () => {
  const all = catalogue.filter(isJudged).map(({ id }) => clause(id));
  for (const failing of [all, all.filter((_, at) => at % 3 === 0), all.filter((_, at) => at % 7 === 2)]) {
    const after = withBlocked(failing);
    const failed = new Set(after.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id));
    for (const { blockedBy = [] } of after) for (const id of blockedBy) expect(failed).toContain(id);
    expect(runVerdict(after)).toBe('nonconformant');
  }
});

test('to decide once more changes nothing, so that the parts of a divided run are put together', () => {
  const parts = withBlocked([clause(delays), clause(retried)]);
  expect(withBlocked(parts)).toEqual(parts);
  expect(withBlocked([...parts, clause(sent)]).map(({ blockedBy }) => blockedBy)).toEqual([[sent], [sent], undefined]);
});

describe('a run whose checks failed', () => {
  const both = [sampleClause(retried), sampleClause(delays)];
  const failures = both.map(({ id }) => sampleOutcome(id, { ...sampleFailure, error: own.error }));

  test('is red for the cause, counts what that blocks and has it skipped for a CI system', () => {
    const results = judge(sampleFacts, both, failures);
    expect(results).toMatchObject({ verdict: 'nonconformant', counts: { failed: 1, notExercised: 0, blocked: 1 } });
    const blocked = testCases(results).find(({ clause: { id } = {} }) => id === delays);
    expect(blocked?.outcome).toBe('skipped');
    expect(blocked?.message).toContain(`blocked by ${retried}`);
  });

  test.each<[string, Partial<CheckOutcome>]>([
    ['a case of it held', { kept: ['GET /x'] }],
    ['a record of any check held', { held: [retried] }],
  ])('excuses nothing that failed for itself by a clause of which %s', (_, rest) => {
    const outcomes = failures.map((outcome) => (outcome.clause === retried ? { ...outcome, ...rest } : outcome));
    expect(judge(sampleFacts, both, outcomes).counts).toMatchObject({ failed: 2, notExercised: 0 });
  });
});

const open = { state: 'not-exercised', reason: 'r' } as const;

function troubles(clauses: readonly string[], ...outcomes: Parameters<typeof judge>[2][number][]) {
  const facts = { ...sampleFacts, knownDeviations: { 'echo.stale': 'TICKET-1' } };
  return troublesOf(
    judge(
      facts,
      clauses.map((id) => sampleClause(id)),
      outcomes,
    ),
  ).map(({ whose, failed, open: wants, flaky }) => [whose, failed, wants, flaky]);
}

test('a run in which everything holds met no trouble', () => {
  expect(troubles(['echo.a'], sampleOutcome('echo.a'))).toEqual([]);
});

test('a warning and a known deviation are the target’s trouble, each counted apart from what failed', () => {
  const ids = ['echo.failed', 'echo.warned', 'echo.known', 'echo.passed'];
  const results = judge(
    { ...sampleFacts, knownDeviations: { 'echo.known': 'TICKET-1' } },
    ids.map((id) => sampleClause(id, id === 'echo.warned' ? { level: 'should' } : {})),
    ids.map((id) => sampleOutcome(id, id === 'echo.passed' ? {} : sampleFailure)),
  );
  expect(troublesOf(results)).toEqual([
    { whose: 'target', failed: 1, warned: 1, known: 1, open: 0, openOthers: 0, flaky: 0 },
  ]);
});

test('a stale known deviation is the trouble of the settings, not of the target', () => {
  expect(troubles(['echo.stale'], sampleOutcome('echo.stale'))).toEqual([['settings', 1, 0, 0]]);
});

test.each(['target', 'network', 'settings'] as const)(
  'a clause not exercised for the sake of the %s is its',
  (trouble) => {
    expect(troubles(['echo.a'], sampleOutcome('echo.a', { ...open, trouble }))).toEqual([[trouble, 0, 1, 0]]);
  },
);

test('of several wants the one that a setting can end counts', () => {
  const outcomes = (['target', 'settings'] as const).map((trouble) => sampleOutcome('echo.a', { ...open, trouble }));
  expect(troubles(['echo.a'], ...outcomes)).toEqual([['settings', 0, 1, 0]]);
});

test('who was asked, and told nothing by what came, has the trouble, whatever a setting would add', () => {
  const lacks = sampleOutcome('echo.a', { ...open, trouble: 'settings', exchangesMade: 0 });
  const asked = sampleOutcome('echo.a', { ...open, trouble: 'target', exchangesMade: 3 });
  expect(troubles(['echo.a'], lacks, asked)).toEqual([['target', 0, 1, 0]]);
});

test.each([
  [{ reason: 'r', trouble: 'network' }, 'network'],
  [{ reason: 'r' }, 'settings'],
] as const)('a clause that no check was made for is its own trouble, or else the settings’: %j', (why, whose) => {
  const results = judge(sampleFacts, [], []);
  expect(troublesOf({ ...results, clauses: [clauseNotRun(sampleClause('echo.a'), why)] })).toMatchObject([
    { whose, open: 1 },
  ]);
});

test('the target’s trouble stands first, then the network’s, the settings’ and the suite’s', () => {
  const ids = ['echo.a', 'echo.b', 'echo.c', 'echo.d'];
  const wants = (['suite', 'settings', 'network', 'target'] as const).map((trouble, index) =>
    sampleOutcome(ids[index] ?? '', { ...open, trouble }),
  );
  expect(troubles(ids, ...wants).map(([whose]) => whose)).toEqual(['target', 'network', 'settings', 'suite']);
});

test('a check that was disturbed is the network’s', () => {
  expect(troubles(['echo.a'], sampleOutcome('echo.a', { flaky: ['ECONNRESET'] }))).toEqual([['network', 0, 0, 1]]);
});

test.each(['target', 'network', 'settings', 'suite'] as const)('an error of the %s is its', (whose) => {
  expect(troublesOf(errorResults(sampleFacts, 'why', whose))).toEqual([
    { whose, failed: 0, warned: 0, known: 0, open: 0, openOthers: 0, flaky: 0, error: 'why' },
  ]);
});
