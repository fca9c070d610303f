import { describe, expect, test } from 'vitest';
import type { HaltKind } from '../../targets/traffic/guard.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from '../../reports/testing/sample-run.ts';
import { runResults, withoutDyingAnswers } from './run-results.ts';

describe('cut short', () => {
  const clauses = ['echo.one', 'echo.two', 'echo.three'].map((id) => sampleClause(id));
  const passed = sampleOutcome('echo.one');
  const open = ['echo.two', 'echo.three'].map((id) =>
    sampleOutcome(id, { state: 'not-exercised', reason: 'target lost', trouble: 'network' }),
  );
  const failed = sampleOutcome('echo.one', sampleFailure);

  /** The results of a run that went no further, and the warning that goes with them. */
  function halted(kind: HaltKind | undefined, first = passed) {
    const halt = kind === undefined ? undefined : { kind, reason: `it was ${kind}`, atMs: 0 };
    const { results, warning } = runResults(sampleFacts, clauses, { outcomes: [first, ...open], halt });
    return { ...results, warning };
  }

  describe('a run that went no further', () => {
    test('is an error that keeps what was judged, and says what to do', () => {
      const { verdict, error, trouble, counts, warning } = halted('lost');
      expect([verdict, trouble, warning]).toEqual(['error', 'network', undefined]);
      expect(error).toBe(
        'it was lost; 1 of 3 clauses were judged before: see whether the target still runs and is in reach, then run again',
      );
      expect(counts).toMatchObject({ passed: 1, notExercised: 2 });
      expect(halted('limited')).toMatchObject({ verdict: 'error', trouble: 'settings' });
    });

    test('is nonconformant where a must clause had failed before, with the same line as a warning', () => {
      const { verdict, warning } = halted('lost', failed);
      expect(verdict).toBe('nonconformant');
      expect(warning).toMatch(/^it was lost; 1 of 3 clauses were judged before: /);
    });

    test('for want of time is what it came to, with a warning', () => {
      const { verdict, warning } = halted('late');
      expect([verdict, warning]).toEqual(['incomplete', 'it was late; 1 of 3 clauses were judged before']);
    });

    test('is no different where nothing stopped it', () => {
      expect(halted(undefined)).toMatchObject({ verdict: 'incomplete', warning: undefined });
    });

    test('by way of the network is an error where no clause was judged, too, though nothing stopped it', () => {
      const lost = sampleOutcome('echo.one', { state: 'not-exercised', reason: 'HTTP 503', trouble: 'network' });
      const needy = sampleOutcome('echo.one', { state: 'not-exercised', reason: 'needs a clock', trouble: 'settings' });
      expect(halted(undefined, lost)).toMatchObject({ verdict: 'error', trouble: 'network' });
      const alone = runResults(sampleFacts, clauses.slice(0, 1), { outcomes: [needy] });
      expect(alone.results.verdict).toBe('incomplete');
    });
  });

  test('an interrupted run keeps the clauses that are done, and is an error even where one of them failed', () => {
    const interrupted = { signal: 'SIGINT', done: new Set(['echo.one']) } as const;
    const { results } = runResults(sampleFacts, clauses, { outcomes: [failed], interrupted });
    expect(results).toMatchObject({ verdict: 'error', counts: { failed: 1, notExercised: 2 } });
    expect(results.error).toBe('interrupted (SIGINT) after 1 of 3 clauses were judged: run it again for a verdict');
    expect(results.clauses.at(-1)?.reason).toBe('the run was interrupted before its check ended');
  });
});

describe('dying answers', () => {
  const outageMs = Date.parse('2026-11-22T12:03:07.000Z');

  test.each<[string, number | undefined, readonly number[], string]>([
    ['accuses nobody where the target was gone soon after', outageMs - 3_000, [outageMs], 'not-exercised'],
    ['stands long before an outage', outageMs - 60_000, [outageMs], 'failed'],
    ['stands long after it', outageMs + 60_000, [outageMs], 'failed'],
    ['stands where there was none', outageMs, [], 'failed'],
    ['stands where it is a whole answer that is wrong, whenever it came', undefined, [outageMs], 'failed'],
  ])('a failure %s', (_, frailAtMs, outages, state) => {
    const failed = sampleOutcome('echo.a', sampleFailure);
    const [outcome] = withoutDyingAnswers([frailAtMs === undefined ? failed : { ...failed, frailAtMs }], outages);
    expect(outcome?.result.state).toBe(state);
    if (state === 'failed') return;
    expect(outcome?.result).toMatchObject({ trouble: 'network' });
    expect(outcome?.result.reason).toMatch(/^the target was gone from 12:03:07 UTC on, and may have been going down: /);
  });
});
