import { beforeAll, describe, expect, test } from 'vitest';
import { type HostileTarget, runAgainst } from '../testing/hostile/front.ts';
import { clausesThat, type Ended } from '../testing/runs.ts';
import { breaks, drips } from '../testing/hostile/connections.ts';
import { controls, deliveries } from '../testing/hostile/deliveries.ts';
import { encodings, sizes, texts } from '../testing/hostile/bodies.ts';

/** All hostile targets. Another is a row in one of these lists. */
const hostileTargets: readonly HostileTarget[] = [
  ...drips,
  ...breaks,
  ...encodings,
  ...texts,
  ...sizes,
  ...deliveries,
  ...controls,
];

/**
 * A run takes some 800 MB in a process that has made others before; garbage is collected when there is time for it, and 1,230 have been
 * seen. What is held back is more than that.
 */
const mostMegabytes = 1_500;

/** Half a minute on a machine with nothing else to do; what does not end takes many times as long, and has no status when it is ended. */
const endedAfterMs = 240_000;

/** Runs that mostly wait, which begin beside the others. */
const slowRuns = new Map<string, Promise<Ended>>();

/** So many of them at once: they wait most of the time. */
const slowAtOnce = 6;

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

function expectEnding({ ends, also }: HostileTarget, ended: Ended): void {
  const { results, status, stderr, peakMegabytes } = ended;
  const seen = {
    status,
    verdict: results?.verdict,
    ...(ends.trouble === undefined ? {} : { trouble: results?.trouble }),
    ...(ends.failed === undefined ? {} : { failed: clausesThat(ended, 'failed') }),
  };
  expect(seen, stderr).toEqual(ends);
  expect(peakMegabytes).toBeLessThanOrEqual(mostMegabytes);
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
