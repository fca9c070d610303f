import { describe, expect, test } from 'vitest';
import { datedSkew, examineClock, judgeSkew, statedSkew } from './clock.ts';

const noon = Date.parse('2026-01-01T12:00:00.000Z');

function asked(data: Record<string, unknown>, date?: string): Parameters<typeof statedSkew>[0] {
  const answer = { status: 200, data, form: 'json' as const, ...(date === undefined ? {} : { date }) };
  return { answer, receivedMs: noon + 200, durationMs: 400 };
}

describe('the skew', () => {
  test('that serverTime states is taken at half the round trip', () => {
    expect(statedSkew(asked({ serverTime: '2026-01-01T12:10:00.000Z' }))).toEqual({
      seconds: 600,
      doubtSeconds: 0.2,
      source: 'echo serverTime',
    });
  });

  test.each([['no time'], [12], [undefined], ['2026-99-99T00:00:00Z']])('is not stated by %j', (serverTime) => {
    expect(statedSkew(asked({ serverTime }))).toBeUndefined();
  });

  test('that a Date header shows is half a second later than it says', () => {
    expect(datedSkew(asked({}, 'Thu, 01 Jan 2026 11:59:00 GMT'))).toEqual({
      seconds: -59.5,
      doubtSeconds: 0.7,
      source: 'Date header',
    });
  });

  test('is not known without a time and without an answer', () => {
    expect(datedSkew(asked({}))).toBeUndefined();
    const silent = { answer: { error: 'gone' }, receivedMs: noon, durationMs: 1 };
    expect([statedSkew(silent), datedSkew(silent)]).toEqual([undefined, undefined]);
  });
});

describe('what serverTime states is believed', () => {
  /** A target without a Date header, whose echoes state these skews in turn, and which judges timestamps by the first of them. */
  async function skewOf(statedSeconds: (nth: number, nowMs: number) => number, judgesBy: number) {
    let asks = 0;
    const ask = (_secret: string, _probe: unknown, offset: number): Promise<ReturnType<typeof asked>> => {
      const nowMs = Date.now();
      const serverTime = new Date(nowMs + statedSeconds(asks++, nowMs) * 1000).toISOString();
      const isRefused = Math.abs(offset - judgesBy) > 300;
      const refusal = { status: 401, data: {}, code: 10009001, form: 'json' as const };
      const answer = isRefused ? refusal : { status: 200, data: { serverTime }, form: 'json' as const };
      return Promise.resolve({ answer, receivedMs: nowMs, durationMs: 2 } as ReturnType<typeof asked>);
    };
    const { skew } = await examineClock({ ask }, 'secret', await ask('secret', undefined, 0));
    return skew && Math.round(skew.seconds);
  }

  test('of several nodes whose clocks are not quite together', async () => {
    expect(await skewOf((nth) => -37 + nth * 0.9, -37)).toBe(-37);
  });

  test('but not of a clock that stands, nor of one that judges nothing', async () => {
    const startMs = Date.now();
    expect(await skewOf((_, nowMs) => -37 - (nowMs - startMs) / 1000, -37)).toBeUndefined();
    expect(await skewOf(() => -37, 0)).toBeUndefined();
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
