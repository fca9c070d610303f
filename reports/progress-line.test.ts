import { describe, expect, test } from 'vitest';
import {
  type Paint,
  failureLine,
  progressLine,
  type Progress,
  isLineDue,
  clausesDone,
  clausesWith,
  emptyTally,
  newFailures,
  withEnded,
  withFile,
  type PlannedCheck,
  type Tally,
  timeLeftMs,
} from './progress-line.ts';
import { sampleOutcome } from './testing/sample-run.ts';

const plain: Paint = (_, text) => text;
const marked: Paint = (colour, text) => `<${colour}>${text}</>`;
const progress: Progress = {
  clauseWord: 'must clause',
  clausesDone: 112,
  clausesAll: 290,
  failed: 0,
  warned: 0,
  requests: 4512,
  elapsedMs: 72_900,
};
const full = { ...progress, failed: 2, warned: 1, leftMs: 170_000 };

describe('the line', () => {
  test('tells clauses, requests and the time gone; the time left and failures only where there are some', () => {
    expect(progressLine(progress, plain)).toBe('112 of 290 must clauses, 4,512 requests, 1 min 12 s');
    expect(progressLine(full, plain)).toBe(
      '112 of 290 must clauses, 2 failed, 1 warned, 4,512 requests, 1 min 12 s, about 3 min left',
    );
  });

  test('says what was waited for what did not come', () => {
    const waiting = (pendingMs: number): string => progressLine({ ...progress, pendingMs }, plain);
    expect(waiting(9_999)).not.toContain('waited');
    expect(waiting(70_000)).toMatch(/, 1 min 12 s, waited 1 min 10 s for what has not come$/);
  });

  test.each([
    [80, '112 of 290 must clauses, 2 failed, 4,512 requests, 1 min 12 s, about 3 min left'],
    [65, '112 of 290 must clauses, 2 failed, 1 min 12 s, about 3 min left'],
    [55, '112 of 290 must clauses, 2 failed, about 3 min left'],
    [35, '112 of 290 must clauses, 2 failed'],
    [10, '112/290'],
  ])('of %d characters keeps what matters most', (width, line) => {
    expect(progressLine(full, plain, width)).toBe(line);
  });

  test.each([
    [1, '5 s'],
    [12_000, '15 s'],
    [118_000, '2 min'],
    [3_590_000, '1 h 0 min'],
    [4_000_000, '1 h 7 min'],
  ])('%d milliseconds left read as about %s', (leftMs, words) => {
    expect(progressLine({ ...progress, leftMs }, plain)).toMatch(new RegExp(`, about ${words} left$`));
  });
});

describe('a failure', () => {
  const failure = { clause: 'echo.body', title: 'the body comes back', verdict: 'failed' } as const;

  test('is one line: what it makes of the clause, the clause, the title', () => {
    expect(failureLine(failure, marked)).toBe('<red>failed</>  echo.body  the body comes back');
    expect(failureLine({ ...failure, verdict: 'warned' }, marked)).toMatch(/^<yellow>warned<\/> {2}echo/);
    expect(failureLine({ ...failure, verdict: 'known' }, marked)).toMatch(/^known {3}echo/);
  });

  test('is in Portuguese where that is spoken, its title too', () => {
    const speech = { language: 'pt-BR', say: () => 'o corpo volta' } as const;
    expect(failureLine(failure, plain, speech)).toBe('falhou  echo.body  o corpo volta');
  });

  test('shows what no eye can see spelt out', () => {
    expect(failureLine({ ...failure, title: 'a\u{1b}[2J\nb' }, plain)).toBe('failed  echo.body  a\\u{1b}[2J\\nb');
  });
});

const second = 1000;
const minute = 60 * second;
const at = (elapsedMs: number, clausesDone: number): Progress => ({
  clauseWord: 'must clause',
  clausesDone,
  clausesAll: 290,
  failed: 0,
  warned: 0,
  requests: 0,
  elapsedMs,
});

/** When lines come in a run that gets on evenly, looked at four times a second. */
function lineTimes(runMs: number): number[] {
  const shown: Progress[] = [];
  for (let elapsedMs = 0; elapsedMs <= runMs; elapsedMs += 250) {
    const now = at(elapsedMs, Math.floor((290 * elapsedMs) / runMs));
    if (isLineDue(shown.at(-1), now)) shown.push(now);
  }
  return shown.map(({ elapsedMs }) => elapsedMs);
}

test('a run of twenty seconds has three lines', () => {
  expect(lineTimes(20 * second)).toEqual([0, 10 * second, 20 * second]);
});

test.each([1, 3, 8])('a run of %d hours has at most some twenty lines an hour and no long silence', (hours) => {
  const times = lineTimes(hours * 60 * minute);
  expect(times.length).toBeLessThanOrEqual(20 * hours);
  const gaps = times.map((time, index) => time - (times[index - 1] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(4 * minute);
});

test('a line comes after four minutes in which nothing was done', () => {
  expect(isLineDue(at(0, 5), at(4 * minute - 1, 5))).toBe(false);
  expect(isLineDue(at(0, 5), at(4 * minute, 5))).toBe(true);
});

test('no line comes within ten seconds of the last, however much was done', () => {
  expect(isLineDue(at(0, 5), at(10 * second - 1, 290))).toBe(false);
});

describe('tally', () => {
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
      const failures = [
        of('echo.body', 'a', 'failed'),
        of('echo.body', 'b', 'failed'),
        of('token.known', 'c', 'warned'),
      ];
      const after = withEnded(begun, '1', failures, 5);
      expect([clausesWith(after, 'failed'), clausesWith(after, 'warned'), clausesWith(after, 'known')]).toEqual([
        1, 1, 0,
      ]);
    });
  });
});

describe('time left', () => {
  /** Ten checks of 100 requests each. */
  const begun: Tally = withFile(
    { ...emptyTally(['echo.body']), files: ['echo.spec.ts'] },
    'echo.spec.ts',
    Array.from({ length: 10 }, (_, index) => ({ id: `${index}`, clause: 'echo.body', requests: 100 })),
  );

  function afterChecks(count: number, elapsedMs: number): Tally {
    return Array.from({ length: count }, (_, index) => `${index}`).reduce(
      (tally, id) => withEnded(tally, id, [], elapsedMs),
      begun,
    );
  }

  test('the time left is unknown while a spec file has not told its checks', () => {
    const more = { ...afterChecks(5, 1000), files: ['echo.spec.ts', 'token.spec.ts'] };
    expect(timeLeftMs(more, 1000, 5)).toBeUndefined();
    expect(timeLeftMs(emptyTally([]), 0, 5)).toBeUndefined();
  });

  test('at first the pace alone tells the time left: 1,000 requests at 5 a second take 200 seconds', () => {
    expect(timeLeftMs(begun, 0, 5)).toBe(200_000);
  });

  test('what was seen counts the more has been done, the pace the less, and no more after a quarter', () => {
    // A tenth of the requests took 80 s in place of 20 s: of the quarter that tells it is two fifths.
    expect(timeLeftMs(afterChecks(1, 80_000), 80_000, 5)).toBe(900 * (0.6 * 200 + 0.4 * 800));
    // A target that lets a quarter of the pace pass goes on so.
    expect(timeLeftMs(afterChecks(3, 240_000), 240_000, 5)).toBe(560_000);
  });

  test('without a pace the time left is unknown until a quarter is done, then in proportion', () => {
    expect(timeLeftMs(afterChecks(2, 20_000), 20_000, 0)).toBeUndefined();
    expect(timeLeftMs(afterChecks(5, 50_000), 50_000, 0)).toBe(50_000);
  });

  test('the time left runs down between checks, and is unknown rather than negative', () => {
    const half = afterChecks(5, 50_000);
    expect(timeLeftMs(half, 80_000, 0)).toBe(20_000);
    expect(timeLeftMs(half, 100_000, 0)).toBeUndefined();
    expect(timeLeftMs(afterChecks(10, 100_000), 100_000, 5)).toBeUndefined();
  });

  test('a run whose checks all lack what they need has no time left to tell', () => {
    const idle = withFile(
      begun,
      'echo.spec.ts',
      [...begun.checks.values()].map((check) => ({ ...check, requests: 0 })),
    );
    expect(timeLeftMs(idle, 0, 5)).toBeUndefined();
    expect(timeLeftMs(idle, 0, 0)).toBeUndefined();
  });
});

test('a run that waits in vain says so once a minute', () => {
  const at = (elapsedMs: number, pendingMs: number): Progress => ({ ...progress, elapsedMs, pendingMs });
  expect(isLineDue(at(0, 0), at(70_000, 59_000))).toBe(false);
  expect(isLineDue(at(0, 0), at(70_000, 60_000))).toBe(true);
});
