import { describe, expect, test } from 'vitest';
import { judgeSkew, skewOf } from './clock.ts';

const noon = Date.parse('2026-01-01T12:00:00.000Z');

function asked(data: Record<string, unknown>, date?: string): Parameters<typeof skewOf>[0] {
  const answer = { status: 200, data, isPage: false, ...(date === undefined ? {} : { date }) };
  return { answer, receivedMs: noon + 200, durationMs: 400 };
}

describe('the skew is taken', () => {
  test('from serverTime at half the round trip', () => {
    expect(skewOf(asked({ serverTime: '2026-01-01T12:10:00.000Z' }, 'Thu, 01 Jan 2026 12:00:00 GMT'))).toEqual({
      seconds: 600,
      doubtSeconds: 0.2,
      source: 'echo serverTime',
    });
  });

  test.each([['no time'], [12], [undefined], ['2026-99-99T00:00:00Z']])(
    'from the Date header where serverTime is %j, half a second later than it says',
    (serverTime) => {
      expect(skewOf(asked({ serverTime }, 'Thu, 01 Jan 2026 11:59:00 GMT'))).toEqual({
        seconds: -59.5,
        doubtSeconds: 0.7,
        source: 'Date header',
      });
    },
  );

  test('from nothing where neither is there, and where there is no answer', () => {
    expect(skewOf(asked({}))).toBeUndefined();
    expect(skewOf({ answer: { error: 'gone' }, receivedMs: noon, durationMs: 1 })).toBeUndefined();
  });
});

describe('a skew', () => {
  test.each([
    [0, 'ok', 'agrees with this'],
    [30, 'ok', '30.0 s ahead of this'],
    [-30, 'ok', '30.0 s behind this'],
    [30.1, 'warning', '30.1 s ahead'],
    [-295, 'warning', '295.0 s behind'],
    [295.1, 'problem', '295.1 s ahead'],
    [-600, 'problem', '600.0 s behind'],
  ])('of %d s is %s', (seconds, state, text) => {
    const finding = judgeSkew({ seconds, doubtSeconds: 0.04, source: 'echo serverTime' });
    expect(finding.state).toBe(state);
    expect(finding.found).toContain(text);
    expect(finding.found).toContain('echo serverTime, ± 40 ms');
  });

  test('that can not be measured is a warning', () => {
    expect(judgeSkew(undefined).state).toBe('warning');
  });
});
