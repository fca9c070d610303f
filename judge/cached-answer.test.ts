import { expect, test } from 'vitest';
import { cachedAnswer } from '../trace/cached-answer.ts';
import { observationsOf } from './judge.ts';
import { recordOf } from './testing/records.ts';

test.each([
  [{ age: '12' }, cachedAnswer],
  [{ 'x-cache': 'HIT from proxy' }, cachedAnswer],
  [{ 'cf-cache-status': 'HIT' }, cachedAnswer],
  [{ age: '0' }, undefined],
  [{ 'x-cache': 'MISS' }, undefined],
  [{}, undefined],
])('a wrong answer with %j is told to be a cache’s: %j', (headers, hint) => {
  const record = recordOf({ status: 200, body: '{}', headers, isRightlySigned: false });
  const broken = observationsOf(record).flatMap((observation) => observation.broken ?? []);
  expect(broken.length).toBeGreaterThan(0);
  for (const one of broken) expect(one.hint === cachedAnswer ? one.hint : undefined).toBe(hint);
});
