import { expect, onTestFinished, test } from 'vitest';
import { echoCall } from '../../generators/calls.ts';
import { openTarget } from '../../targets/target.ts';
import { Exchanges } from './exchanges.ts';
import { poolAt } from './pooled.ts';
import { answering } from './testing/answering.ts';
import { newRecord } from './trial-record.ts';

const caller = { appSecret: 'a-secret', now: () => 1_790_000_000 };

/** How often a server was asked one thing by two checks abreast, of runs of such names, and how long the answers were that they read. */
async function askedByTwo(
  body: string,
  names?: readonly [string, string],
): Promise<readonly [asked: number, bytes: readonly unknown[]]> {
  const { run, asked, close } = await answering(() => [200, body]);
  onTestFinished(close);
  const read = (names ?? [run.name, run.name]).map(async (name) => {
    const target = openTarget(run.address, run.traffic);
    const record = { ...newRecord(), pool: poolAt({ ...run, name }, 'echoes') };
    const { response } = await new Exchanges(target, record, async () => caller).send({ caller, call: echoCall('a') });
    await target.close();
    return response?.rawBody.length;
  });
  const bytes = await Promise.all(read);
  return [asked.length, bytes];
}

test('what two checks of a pool ask at once is asked once, and both read the answer', async () => {
  expect(await askedByTwo('{}')).toEqual([1, [2, 2]]);
});

test('nothing is read of another run, whose target may have stood at the same address', async () => {
  expect(await askedByTwo('{}', ['one', 'another'])).toEqual([2, [2, 2]]);
});

test('an answer that is not kept for others, as a long one, is left to who got it, and the other one asks for itself', async () => {
  expect(await askedByTwo('x'.repeat(70_000))).toEqual([2, [70_000, 70_000]]);
});
