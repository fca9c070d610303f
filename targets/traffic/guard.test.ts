import { afterEach, describe, expect, test, vi } from 'vitest';
import { ledgerMemory, openLedger } from './ledger.ts';
import type { Guard } from './guard.ts';
import type { Awaited } from './guard.ts';

/** Two guards of one run, as two threads have them. */
function twoGuards(): readonly [Guard, Guard] {
  const memory = ledgerMemory();
  const open = (): Guard => openLedger(memory, { maxRps: 0, budget: 0 }).guard;
  return [open(), open()];
}

describe('a halt', () => {
  test('is known to all who share the memory, and the first one stands', () => {
    const [one, other] = twoGuards();
    expect(other.halted()).toBeUndefined();
    one.halt('lost', 'Conexão recusada');
    other.halt('late', 'another reason');
    expect(other.halted()).toMatchObject({ kind: 'lost', reason: 'Conexão recusada' });
    expect(Math.abs((other.halted()?.atMs ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  test('keeps the start of a reason that is very long', () => {
    const [one] = twoGuards();
    one.halt('limited', 'x'.repeat(5_000));
    expect(one.halted()?.reason).toBe('x'.repeat(1_024));
  });
});

describe('an outage', () => {
  test('began when the first one noticed it, and is one however many notice', () => {
    const [one, other] = twoGuards();
    expect([one.outages.noteGone(1_000), other.outages.noteGone(2_000)]).toEqual([1_000, 1_000]);
    expect(other.outages.startsMs()).toEqual([1_000]);
    other.outages.noteBack();
    expect(one.outages.noteGone(3_000)).toBe(3_000);
    expect(other.outages.startsMs()).toEqual([1_000, 3_000]);
  });

  test('is remembered as one of the last eight', () => {
    const [one] = twoGuards();
    for (let start = 1; start <= 9; start++) {
      one.outages.noteGone(start);
      one.outages.noteBack();
    }
    expect([...one.outages.startsMs()].sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe('the patience with a limit', () => {
  test('is shared, and what does not fit is not taken', () => {
    const [one, other] = twoGuards();
    expect([one.pace.takePatience(600, 1_000), other.pace.takePatience(600, 1_000)]).toEqual([true, false]);
    expect(other.pace.takePatience(400, 1_000)).toBe(true);
  });
});

describe('the pace that a limit imposes', () => {
  afterEach(() => void vi.useRealTimers());

  /** A run that was limited once, after two requests in ten seconds. */
  function limitedOnce() {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [{ pace }] = twoGuards();
    pace.spacingMicros(0);
    vi.advanceTimersByTime(10_000);
    pace.noteLimited(true, 2);
    vi.advanceTimersByTime(1_000);
    pace.noteServedAgain(3);
    return pace;
  }

  /** Microseconds between two requests, every so many seconds. */
  function paceAfter(pace: ReturnType<typeof limitedOnce>, everySeconds: number): number[] {
    return Array.from({ length: 3 }, () => {
      vi.advanceTimersByTime(everySeconds * 1_000);
      return pace.spacingMicros(3);
    });
  }

  test('is given up by halves where nothing more is limited', () => {
    const pace = limitedOnce();
    const imposed = pace.spacingMicros(3);
    expect(imposed).toBeGreaterThan(1_000_000);
    expect(paceAfter(pace, 10)).toEqual([imposed / 2, imposed / 4, imposed / 8].map(Math.round));
    paceAfter(pace, 100);
    for (let more = 0; more < 10; more++) paceAfter(pace, 10);
    expect(pace.spacingMicros(3)).toBe(0);
  });

  test('is kept twice as long once it was given up too early', () => {
    const pace = limitedOnce();
    paceAfter(pace, 10);
    vi.advanceTimersByTime(2_000);
    pace.noteLimited(true, 4);
    vi.advanceTimersByTime(1_000);
    pace.noteServedAgain(5);
    const again = pace.spacingMicros(5);
    expect(paceAfter(pace, 10)).toEqual([again, Math.round(again / 2), Math.round(again / 2)]);
  });
});

test('answers are on the average what all who share the memory saw, and the fastest counts once there are three', () => {
  const [one, other] = twoGuards();
  expect(one.pace.meanAnswerMs()).toBe(0);
  one.pace.noteAnswer(50);
  other.pace.noteAnswer(30);
  expect([one.pace.meanAnswerMs(), one.pace.fastestAnswerMs()]).toEqual([40, 0]);
  other.pace.noteAnswer(10);
  expect([one.pace.meanAnswerMs(), one.pace.fastestAnswerMs()]).toEqual([30, 10]);
});

describe('the patience with what comes later', () => {
  /** Waits for one of that kind: as long as there is patience where it does not come. */
  function wait({ waits }: Guard, kind: Awaited, hasCome: boolean, isRepetition = false, isPromised = false): number {
    const patience = waits.patience(kind, 60, { isRepetition, isPromised });
    waits.note(kind, { patience, hasCome, ms: hasCome ? 10 : patience.seconds * 1000 });
    return patience.seconds;
  }

  test('is one whole wait of a kind, and a second for each after it', () => {
    const [one, other] = twoGuards();
    const seconds = [wait(one, 'settlement', false), wait(other, 'settlement', false), wait(one, 'settlement', false)];
    expect(seconds).toEqual([60, 1, 1]);
  });

  test('is another for each kind', () => {
    const [one, other] = twoGuards();
    wait(one, 'settlement', false);
    expect([wait(other, 'cancellation', false), wait(one, 'delivery', true)]).toEqual([60, 60]);
  });

  test('is given back once by what comes after all, and no more', () => {
    const [one] = twoGuards();
    wait(one, 'delivery', false);
    wait(one, 'delivery', true);
    expect(wait(one, 'delivery', false)).toBe(60);
    wait(one, 'delivery', true);
    expect(wait(one, 'delivery', false)).toBe(1);
  });

  test('is whole for the repetition of a failure, once', () => {
    const [one] = twoGuards();
    wait(one, 'verdict', false);
    expect([wait(one, 'verdict', false, true), wait(one, 'verdict', false, true)]).toEqual([60, 1]);
  });

  test('is three times the setting for all kinds together, and nothing beyond', () => {
    const [one] = twoGuards();
    const kinds = ['settlement', 'cancellation', 'delivery', 'verdict'] as const;
    const seconds = [...kinds, ...kinds].map((kind) => wait(one, kind, false));
    expect(seconds).toEqual([60, 60, 60, 0, 0, 0, 0, 0]);
  });

  test('is whole, three times, for what the clause of a check promises, however much was waited in vain by others', () => {
    const [one, other] = twoGuards();
    for (let count = 0; count < 5; count++) wait(one, 'cancellation', false);
    const seconds = [1, 2, 3, 4].map(() => wait(other, 'cancellation', false, false, true));
    expect(seconds).toEqual([60, 60, 60, 1]);
  });

  test('is told as cut where it is less than the setting says', () => {
    const [{ waits }] = twoGuards();
    const first = waits.patience('delivery', 60, { isRepetition: false });
    waits.note('delivery', { patience: first, hasCome: false, ms: 60_000 });
    expect([first.isFull, waits.patience('delivery', 60, { isRepetition: false }).isFull]).toEqual([true, false]);
  });
});

describe('the patience with answers of a place that did not come', () => {
  test('is as usual until one was late, then shorter and shorter, for that place alone and for all who share the memory', () => {
    const [one, other] = twoGuards();
    expect(one.stalls.patienceMs(3, 30_000)).toBe(30_000);
    one.stalls.noteLate(3);
    expect([other.stalls.patienceMs(3, 30_000), other.stalls.patienceMs(4, 30_000)]).toEqual([3_000, 30_000]);
    other.stalls.noteLate(3);
    other.stalls.noteLate(3);
    expect(one.stalls.patienceMs(3, 30_000)).toBe(1_000);
  });

  test('is never shorter than twice the slowest whole answer, and never longer than usual', () => {
    const [{ stalls }] = twoGuards();
    stalls.noteWhole(8_000);
    stalls.noteLate(0);
    expect([stalls.patienceMs(0, 30_000), stalls.patienceMs(0, 10_000)]).toEqual([16_000, 10_000]);
  });

  test('is at its end for a place once two did not come there', () => {
    const [{ stalls }] = twoGuards();
    stalls.noteLate(7);
    expect(stalls.isStalled(7)).toBe(false);
    stalls.noteLate(7);
    expect([stalls.isStalled(7), stalls.isStalled(8)]).toEqual([true, false]);
  });
});
