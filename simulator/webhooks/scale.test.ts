import { expect, test } from 'vitest';
import { attemptsOfLadder, climbLadder } from '../testing/ladder.ts';

const few = 500;
const many = 5000;

async function msPerAttempt(deliveries: number): Promise<number> {
  return (await climbLadder(deliveries)) / (deliveries * attemptsOfLadder);
}

test('an attempt costs the same, however many deliveries wait', async () => {
  // The first goes are slower, until the code is compiled.
  await climbLadder(few);
  const fewMs = await msPerAttempt(few);
  // Ten times as many: a cost that grows with what waits would show as a ratio near ten.
  expect((await msPerAttempt(many)) / fewMs).toBeLessThan(3);
});
