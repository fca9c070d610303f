import { expect, onTestFinished, test } from 'vitest';
import { echoCall } from '../../generators/calls.ts';
import { openTarget } from '../../targets/target.ts';
import { Exchanges } from './exchanges.ts';
import { poolAt } from './pooled.ts';
import { answering } from './testing/answering.ts';
import { newRecord } from './trial-record.ts';

const caller = { appSecret: 'a-secret', now: () => 1_790_000_000 };

/** How often a server was asked one thing by two checks abreast, and what each of them was told. */
async function askedByTwo(...statuses: readonly number[]): Promise<readonly [asked: number, told: readonly unknown[]]> {
  let nth = 0;
  const { run, asked, close } = await answering(() => [statuses[nth++] ?? 200, '{}']);
  onTestFinished(close);
  const told = [1, 2].map(async () => {
    const target = openTarget(run.address, run.traffic);
    const record = { ...newRecord(), pool: poolAt(run, 'echoes') };
    const { response } = await new Exchanges(target, record, async () => caller).send({ caller, call: echoCall('a') });
    await target.close();
    return response?.status;
  });
  const statusesTold = await Promise.all(told);
  return [asked.length, statusesTold];
}

test('what two checks of a pool ask at once is asked once, and both read the answer', async () => {
  expect(await askedByTwo(200)).toEqual([1, [200, 200]]);
});

test('an answer that says nothing to others is left to who got it, and the other one asks for itself', async () => {
  const [asked] = await askedByTwo(500, 500, 500);
  expect(asked).toBeGreaterThan(1);
});
