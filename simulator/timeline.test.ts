import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ApplicationStore, openApplications } from './state/applications.ts';
import { openDatabase } from './state/database.ts';
import { type DueWork, Timeline } from './timeline.ts';

const start = Date.UTC(2031, 4, 17, 9, 30);

/** Work that is due at these seconds after the start, with a log of when it was started. */
function workAt(seconds: readonly number[], last: () => Promise<void> | undefined = () => undefined) {
  const dues = seconds.map((second) => start + second * 1000);
  const started: number[] = [];
  const work: DueWork = {
    nextDueMs: (_, afterMs) => dues.filter((due) => due > afterMs).sort((a, b) => a - b)[0],
    startDue(_, nowMs) {
      const now = dues.filter((due) => due <= nowMs);
      for (const due of now) dues.splice(dues.indexOf(due), 1);
      started.push(...now.map(() => (nowMs - start) / 1000));
      return now.flatMap(() => last() ?? []);
    },
  };
  return { work, started, dues };
}

function timelineOf(works: readonly DueWork[]): { timeline: Timeline; applications: ApplicationStore; appKey: string } {
  const applications = openApplications(openDatabase(undefined));
  const { appKey } = applications.create({ clock: start }).application;
  const timeline = new Timeline(applications, works);
  timeline.start();
  return { timeline, applications, appKey };
}

describe('a test clock', () => {
  test('moves in order through every instant at which something is due', async () => {
    const { work, started } = workAt([30, 10, 20, 99]);
    const { timeline, applications, appKey } = timelineOf([work]);
    expect(await timeline.advance(appKey, 60_000, 'attempts')).toBe(start + 60_000);
    expect(started).toEqual([10, 20, 30]);
    expect(applications.findByKey(appKey)?.clock).toBe(start + 60_000);
  });

  test('stands at the instant of an attempt until that has ended, and sees what it brings', async () => {
    const applications = openApplications(openDatabase(undefined));
    const { appKey } = applications.create({ clock: start }).application;
    const seen: unknown[] = [];
    const first = workAt([10], async () => {
      await new Promise(setImmediate);
      if (seen.push(applications.findByKey(appKey)?.clock) === 1) first.dues.push(start + 15_000);
    });
    const timeline = new Timeline(applications, [first.work]);
    timeline.start();
    await timeline.advance(appKey, 12_000, 'attempts');
    expect(seen).toEqual([start + 10_000]);
    await timeline.advance(appKey, 3_000, 'attempts');
    expect(first.started).toEqual([10, 15]);
    expect(seen).toEqual([start + 10_000, start + 15_000]);
  });

  test('does not wait for attempts under "none"', async () => {
    const { work, started } = workAt([10, 20], () => new Promise(() => undefined));
    const { timeline, appKey } = timelineOf([work]);
    expect(await timeline.advance(appKey, 60_000, 'none')).toBe(start + 60_000);
    expect(started).toEqual([10, 20]);
  });

  test('lets it become quiet by 0 seconds, with what was due before', async () => {
    const { work, started, dues } = workAt([]);
    const { timeline, appKey } = timelineOf([work]);
    dues.push(start - 5_000);
    await timeline.advance(appKey, 0, 'attempts');
    expect(started).toEqual([0]);
  });
});

describe('the system clock', () => {
  afterEach(() => void vi.useRealTimers());

  test('starts also what became due while something else was started', () => {
    vi.useFakeTimers({ now: start });
    const applications = openApplications(openDatabase(undefined));
    applications.create({});
    const { work, started } = workAt([1]);
    const slow: DueWork = { nextDueMs: () => undefined, startDue: () => (vi.setSystemTime(start + 1000), []) };
    new Timeline(applications, [work, slow]).start();
    vi.runOnlyPendingTimers();
    expect(started).toHaveLength(1);
  });

  test('bears a wait that is longer than a timer', () => {
    vi.useFakeTimers({ now: start });
    const applications = openApplications(openDatabase(undefined));
    applications.create({});
    const seconds = 40 * 24 * 60 * 60;
    const { work, started } = workAt([seconds]);
    new Timeline(applications, [work]).start();
    vi.advanceTimersByTime(seconds * 1000 - 1);
    expect(started).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(started).toEqual([seconds]);
  });

  test('starts nothing more once the timeline has stopped', async () => {
    vi.useFakeTimers({ now: start });
    const applications = openApplications(openDatabase(undefined));
    applications.create({});
    const { work, started } = workAt([30]);
    const timeline = new Timeline(applications, [work]);
    timeline.start();
    await timeline.stop();
    vi.advanceTimersByTime(60_000);
    expect(started).toEqual([]);
  });
});
