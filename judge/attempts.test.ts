import { describe, expect, test } from 'vitest';
import { brokenIn, keptIn, newStory, type Coming } from './testing/story.ts';

const refused = { context: { answer: 500 } } as const;
const ladder = [60, 360, 2160, 9360, 30_960];
const fromTheFirst = [60, 300, 1800, 7200, 21_600];
const beyond = 129_600;

/** An event that is answered so, and what comes of it when the clock is moved so far at once. */
function storyOf(first: Coming, seconds: number, later: readonly Coming[]) {
  const story = newStory();
  story.save('a');
  story.verify();
  story.advance(0, () => story.comes(first));
  story.advance(seconds, () => later.forEach((coming) => story.comes(coming)));
  return story.records;
}

const retries = (instants: readonly number[]): readonly Coming[] => instants.map((at) => ({ at, ...refused }));
const id = (name: string): string => `webhook-delivery.${name}`;

describe('a right server is accused of nothing', () => {
  test.each<[string, Coming, number, readonly Coming[]]>([
    ['that retries after the attempt before', refused, beyond, retries(ladder)],
    ['that retries after the first', refused, beyond, retries(fromTheFirst)],
    [
      'that sends each attempt twice at once',
      refused,
      beyond,
      [...ladder, ...ladder].toSorted((a, b) => a - b).map((at) => ({ at, ...refused })),
    ],
    ['whose duplicate of a retry comes behind the next one', refused, 400, retries([60, 360, 60])],
    [
      'whose duplicates come behind the attempt that follows',
      refused,
      beyond,
      retries([60, 360, 60, 2160, 360, 9360, 2160, 30_960, 9360]),
    ],
    ['whose event was acknowledged', { context: { answer: 299 } }, beyond, []],
    ['that sends what was acknowledged once more, late', {}, 40, [{ at: 0 }]],
    ['whose retry was acknowledged', refused, 120, [{ at: 60 }]],
    ['whose first retry is not due yet', refused, 59, []],
    ['that sends what was refused once more before a retry is due', refused, 55, [{ at: 0 }]],
    [
      'whose event was answered too late for somebody to know',
      { context: { answer: 200, answeredAfterMs: 9_900 } },
      120,
      [{ at: 60 }],
    ],
  ])('%s', (_, first, seconds, later) => {
    expect(brokenIn(storyOf(first, seconds, later))).toEqual([]);
  });

  test('whose breaker lets out what it held as the address is registered again, before the clock is moved', () => {
    const story = newStory();
    const callback: Coming = { channel: 'issuance', ...refused };
    story.register();
    story.issue();
    story.advance(0, () => story.comes(callback));
    story.register();
    story.advance(3600, () => story.comes(callback));
    expect(brokenIn(story.records)).not.toContain(id('fresh-timestamp-on-retry'));
  });

  test('that comes again as the clock is moved, when the breaker has stopped what was due by then', () => {
    const story = newStory();
    const callback: Coming = { channel: 'issuance', ...refused };
    story.register();
    story.issue();
    story.advance(0, () => [callback, callback].forEach((coming) => story.comes(coming)));
    story.advance(60, () => story.comes({ ...callback, at: 0 }));
    expect(brokenIn(story.records)).not.toContain(id('fresh-timestamp-on-retry'));
  });

  test('whose attempt was under way as the clock was moved, and comes just behind the answer to that', () => {
    const story = newStory();
    story.save('a');
    story.advance(3600);
    story.comes({ at: 0 });
    story.advance(0);
    expect(brokenIn(story.records)).toEqual([]);
  });

  test('whose clock nobody knows, since the answer to a move of it was lost', () => {
    const story = newStory();
    story.save('a');
    story.steer('POST', '/applications/app/clock', { advanceSeconds: 600 }, undefined, 0);
    story.advance(120, () => story.comes({ at: 700, ...refused }));
    story.advance(beyond);
    expect(brokenIn(story.records)).toEqual([]);
  });
});

describe('an event that comes before a long move of the clock, or with it', () => {
  /** The first attempt comes as the clock stands still, or as it moves on to where the others come. */
  function storyWith(isBefore: boolean, others: readonly Coming[]) {
    const story = newStory();
    const first = { ...refused, at: isBefore ? 0 : 1 };
    story.save('a');
    if (isBefore) story.comes(first);
    story.advance(beyond, () => [...(isBefore ? [] : [first]), ...others].forEach((coming) => story.comes(coming)));
    return story.records;
  }

  describe.each([true, false])('before it: %s', (isBefore) => {
    test.each<[string, readonly Coming[]]>([
      ['the whole ladder', retries(ladder.map((at) => at + 1))],
      ['the whole ladder and a duplicate of the first', [refused, ...retries(ladder.map((at) => at + 1))]],
    ])('accuses nobody by %s', (_, others) => {
      expect(brokenIn(storyWith(isBefore, others))).toEqual([]);
    });

    test.each<[string, readonly Coming[], readonly string[]]>([
      ['no retry', [], ['other-status-retried', 'five-retries']],
      ['four retries', retries(ladder.slice(0, 4).map((at) => at + 1)), ['five-retries']],
    ])('accuses by %s', (_, others, clauses) => {
      expect(brokenIn(storyWith(isBefore, others))).toEqual(clauses.map(id));
    });
  });
});

describe('attempts that are wrong break', () => {
  test('what was asked for after a move of the clock, and bears the time of before', () => {
    const story = newStory();
    story.save('a');
    story.advance(3600);
    story.verify();
    story.comes({ at: 0 });
    story.advance(0);
    expect(brokenIn(story.records)).toContain(id('timestamp-header'));
  });

  test.each<[string, Coming, number, readonly Coming[], string]>([
    ['no retry after a 404', { context: { answer: 404 } }, 120, [], 'other-status-retried'],
    ['no retry after a broken connection', { context: { answer: 'hang-up' } }, 120, [], 'broken-connection-retried'],
    ['a retry every minute', refused, 600, retries([60, 120, 180]), 'retry-delays'],
    ['readings mixed', refused, beyond, retries([60, 360, 1800, 7200, 21_600]), 'retry-delays'],
    ['four retries', refused, beyond, retries(ladder.slice(0, 4)), 'five-retries'],
    ['six retries', refused, beyond, retries([...ladder, 60_000]), 'five-retries'],
    ['a retry of what was acknowledged', { context: { answer: 202 } }, beyond, [{ at: 60 }], 'acknowledged-by-any-2xx'],
    ['a timestamp of an hour ago', { at: -3600 }, 30, [], 'timestamp-header'],
    [
      'a retry with the timestamp of the first attempt',
      refused,
      120,
      [{ at: 0, ...refused }],
      'fresh-timestamp-on-retry',
    ],
  ])('%s', (_, first, seconds, later, clause) => {
    expect(brokenIn(storyOf(first, seconds, later))).toContain(id(clause));
  });

  test.each([0, 1])('an attempt pushed by hand %s moves later, with the timestamp of the first', (moves) => {
    const story = newStory();
    story.save('a');
    story.advance(beyond, () => [{ at: 0, ...refused }, ...retries(ladder)].forEach((coming) => story.comes(coming)));
    const stale: Coming = { at: 0, context: { answer: 200 } };
    story.steer('POST', '/applications/app/deliveries/e/redeliver', {}, () => moves === 0 && story.comes(stale), 202);
    story.advance(0, () => moves === 1 && story.comes(stale));
    expect(brokenIn(story.records)).toContain(id('fresh-timestamp-on-retry'));
  });

  test.each([33, 130, 220])('nor does what comes twice %i s after it was acknowledged', (at) => {
    expect(brokenIn(storyOf({}, beyond, [{ at }]))).toEqual([]);
  });

  test('a retry behind one that was acknowledged', () => {
    const story = newStory();
    story.save('a');
    story.verify();
    story.advance(0, () => story.comes(refused));
    story.advance(120, () => story.comes({ at: 60 }));
    story.advance(beyond, () => story.comes({ at: 360 }));
    expect(brokenIn(story.records)).toEqual([id('retries-stop-when-acknowledged')]);
  });

  test.each([
    [100, 360, [id('retries-stop-when-acknowledged')]],
    [100, 220, []],
  ])('whatever comes twice before: at %i, then at %i', (twice, later, broken) => {
    const story = newStory();
    story.save('a');
    story.verify();
    story.advance(0, () => story.comes(refused));
    story.advance(120, () => [{ at: 60 }, { at: twice }].forEach((coming) => story.comes(coming)));
    story.advance(beyond, () => story.comes({ at: later }));
    expect(brokenIn(story.records)).toEqual(broken);
  });
});

test('what was seen to be kept is told as that', () => {
  expect(keptIn(storyOf(refused, beyond, retries(ladder)))).toEqual(
    expect.arrayContaining([id('other-status-retried'), id('retry-delays'), id('five-retries')]),
  );
  expect(keptIn(storyOf({}, beyond, []))).toContain(id('acknowledged-by-any-2xx'));
});

describe('where the system’s clock goes, an attempt is judged by its arrival', () => {
  const day = Date.parse('2026-11-20T12:00:00Z') / 1000;
  /** Attempts of one event so many seconds after the first, as a receiver stored them. */
  const stored = (seconds: readonly number[], answers: readonly number[] = []) => {
    const story = newStory();
    for (const [index] of seconds.entries()) story.comes({ context: { answer: answers[index] ?? 500 } });
    return story.records.slice(1).map((record, index) => {
      if (record.kind !== 'delivery') return record;
      const nowSeconds = day + (seconds[index] ?? 0);
      const headers = new Map([...record.headers, ['x-service-timestamp', String(nowSeconds)]]);
      const address = { name: 'p', channel: 'verification', caller: 'x' } as const;
      return { ...record, address, headers, nowSeconds, arrivedAtMs: nowSeconds * 1000 };
    });
  };

  test.each([[[0, ...ladder]], [[0, ...fromTheFirst]], [[0, 360, 30_960]], [[0, 300, 2100]]])(
    '%j is right: some may have been missed',
    (seconds) => {
      expect(brokenIn(stored(seconds))).toEqual([]);
    },
  );

  test.each<[readonly number[], string]>([
    [[0, 60, 120, 180], 'retry-delays'],
    [[0, ...ladder, 60_000], 'five-retries'],
  ])('%j is not', (seconds, clause) => {
    expect(brokenIn(stored(seconds))).toContain(id(clause));
  });

  test.each([33, 130, 220])('what was acknowledged may come twice, %i s later too', (seconds) => {
    expect(brokenIn(stored([0, seconds], [200, 200]))).toEqual([]);
  });

  test('nor is a retry of what was acknowledged', () => {
    expect(brokenIn(stored([0, 60, 360], [500, 204]))).toEqual([id('retries-stop-when-acknowledged')]);
  });
});
