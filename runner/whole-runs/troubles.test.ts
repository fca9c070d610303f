import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { troubles } from '../testing/troubles/all.ts';
import { expectAnswered } from '../testing/troubles/expect-answered.ts';
import { startUpstream } from '../testing/troubles/front.ts';

let upstream: Awaited<ReturnType<typeof startUpstream>> | undefined;

beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(() => upstream?.stop());

test('no two troubles have one name', () => {
  const names = troubles.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

describe.concurrent('npm test and the doctor tell in one line what is in the way and what to do, and accuse nobody', () => {
  test.each(troubles)('$name', async (trouble) => {
    if (!upstream) throw new Error('the right server runs only during tests');
    await expectAnswered(trouble, upstream);
  });
});
