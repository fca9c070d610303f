import { expect, test } from 'vitest';
import { underLoad } from './load.ts';

test('a load of life cycles is answered without 5xx, and the judge finds nothing in its trace', async () => {
  const { broken, failures, lifeCycles, deliveries, held } = await underLoad(8, 3);
  expect({ broken, failures }).toEqual({ broken: [], failures: 0 });
  expect(lifeCycles).toBeGreaterThanOrEqual(8);
  expect(deliveries).toBeGreaterThanOrEqual(8);
  expect(held).toBeGreaterThan(40);
});
