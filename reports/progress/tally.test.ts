import { describe, expect, test } from 'vitest';
import { clausesDone, clausesWith, emptyTally, newFailures, withEnded, withFile, type PlannedCheck } from './tally.ts';
import { sampleOutcome } from '../testing/sample-run.ts';

const check = (id: string, clause: string): PlannedCheck => ({ id, clause, requests: 10 });
const begun = {
  ...emptyTally(['token.verbatim', 'token.known', 'echo.body']),
  files: ['token.spec.ts', 'token.late.spec.ts', 'echo.spec.ts'],
};
const failed = (clause: string): ReturnType<typeof sampleOutcome> => sampleOutcome(clause, { state: 'failed' });

describe('a clause', () => {
  const tokens = [check('1', 'token.verbatim'), check('2', 'token.verbatim'), check('3', 'token.known')];
  const read = withFile(withFile(begun, 'token.spec.ts', tokens), 'token.late.spec.ts', []);

  test('is done once the last of its checks has ended', () => {
    const one = withEnded(read, '1', [], 5);
    expect([clausesDone(read), clausesDone(one), clausesDone(withEnded(one, '2', [], 9))]).toEqual([0, 0, 1]);
  });

  test('is not done while a file of its topic may hold more checks of it', () => {
    const early = withEnded(withFile(begun, 'token.spec.ts', [check('3', 'token.known')]), '3', [], 5);
    expect(clausesDone(early)).toBe(0);
    expect(clausesDone(withFile(early, 'token.late.spec.ts', []))).toBe(1);
  });

  test('stays as it is when a file tells its checks again', () => {
    expect(clausesDone(withFile(withEnded(read, '3', [], 5), 'token.spec.ts', tokens))).toBe(1);
  });
});

describe('a failure', () => {
  test('is new once, though several checks see it', () => {
    const [failure] = newFailures(begun, [failed('echo.body')], () => 'failed');
    const after = withEnded(begun, '1', failure ? [failure] : [], 5);
    expect(failure).toEqual({ clause: 'echo.body', title: 'the rule of echo.body holds', verdict: 'failed' });
    expect(newFailures(after, [failed('echo.body')], () => 'failed')).toEqual([]);
  });

  test('is none where a check passed or was not exercised', () => {
    const outcomes = [sampleOutcome('echo.body'), sampleOutcome('token.known', { state: 'not-exercised' })];
    expect(newFailures(begun, outcomes, () => 'failed')).toEqual([]);
  });

  test('counts its clause once, under the verdict that it gives', () => {
    const of = (clause: string, title: string, verdict: 'failed' | 'warned') => ({ clause, title, verdict });
    const failures = [of('echo.body', 'a', 'failed'), of('echo.body', 'b', 'failed'), of('token.known', 'c', 'warned')];
    const after = withEnded(begun, '1', failures, 5);
    expect([clausesWith(after, 'failed'), clausesWith(after, 'warned'), clausesWith(after, 'known')]).toEqual([
      1, 1, 0,
    ]);
  });
});
