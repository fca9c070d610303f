import { beforeAll, describe, expect, test } from 'vitest';
import { hostileTargets } from '../testing/hostile/all.ts';
import { type HostileTarget, runAgainst, type HostileRun } from '../testing/hostile/hostile-target.ts';

/**
 * A run takes some 800 MB and half a minute; garbage is collected when there is time for it, 1,230 have been seen, and of nine at once each
 * takes a minute. What is held back is more than that, and what does not end takes many.
 */
const most = { seconds: 120, megabytes: 1_500 };

/** Of a process that has run against others before, which sent little. */
const mostOfManyMegabytes = 1_600;

/** A run that is not over in time is ended a little later, so that it is known how it was getting on. */
const endedAfterMs = (most.seconds + 15) * 1000;

/** Runs that mostly wait, which begin beside the others. */
const slowRuns = new Map<string, Promise<HostileRun>>();

/** So many of them at once: their starts take a core each. */
const slowAtOnce = 3;

beforeAll(() => {
  const targets = hostileTargets.filter(({ isSlow }) => isSlow);
  const places = Array.from({ length: slowAtOnce }, () => Promise.resolve());
  for (const [at, target] of targets.entries()) {
    const run = (places[at % slowAtOnce] ?? Promise.resolve()).then(() => runAgainst(target, endedAfterMs));
    slowRuns.set(target.name, run);
    places[at % slowAtOnce] = run.then(
      () => undefined,
      () => undefined,
    );
  }
});

function failedIn({ ended: { results } }: HostileRun): string[] {
  return (results?.clauses ?? []).filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
}

function expectEnding({ ends, isBig, also }: HostileTarget, run: HostileRun): void {
  const { ended, seconds } = run;
  const { results, status, stderr, peakMegabytes } = ended;
  const seen = {
    status,
    verdict: results?.verdict,
    ...(ends.trouble === undefined ? {} : { trouble: results?.trouble }),
    ...(ends.failed === undefined ? {} : { failed: failedIn(run) }),
  };
  expect(seen, stderr).toEqual(ends);
  expect(seconds).toBeLessThanOrEqual(most.seconds);
  expect(peakMegabytes).toBeLessThanOrEqual(isBig ? most.megabytes : mostOfManyMegabytes);
  also?.(ended);
}

test('no two hostile targets have one name', () => {
  const names = hostileTargets.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

describe.concurrent('a run ends soon, small, and in the verdict that it is to end in, against a target that gives', () => {
  test.each(hostileTargets)('$name', async (target) => {
    expectEnding(target, await (slowRuns.get(target.name) ?? runAgainst(target, endedAfterMs)));
  });
});
