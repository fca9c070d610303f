import { test } from 'vitest';
import { climbLadder } from '../simulator/testing/ladder.ts';

test('60,000 attempts, of ten times 1,000 deliveries that wait at once, compared with 10,000', async ({ bench }) => {
  const once = { iterations: 1, time: 0, warmup: false };
  const tenTimes = async (): Promise<void> => {
    for (let time = 0; time < 10; time++) await climbLadder(1000);
  };
  await bench.compare(
    bench('1,000 pending', tenTimes),
    bench('10,000 pending', async () => void (await climbLadder(10_000))),
    once,
  );
});
