import { expect, test } from 'vitest';
import { authorised, callbackOf } from './testing/deliveries.ts';
import { recordOf, type RecordWish } from './testing/records.ts';
import { observationsOf } from './judge.ts';

const encodings: readonly (readonly [encoding: string | undefined, isBroken: boolean])[] = [
  [undefined, false],
  ['', false],
  ['identity', false],
  [' Identity, identity', false],
  ['gzip', true],
  ['br, gzip', true],
  ['identity, deflate', true],
];

/** Whether a record breaks that clause; `undefined` where it says nothing of it. */
function breaks(record: Parameters<typeof observationsOf>[0], clause: string): boolean | undefined {
  const seen = observationsOf(record).find((observation) => observation.clause === clause);
  return seen && seen.broken !== undefined;
}

const answer = (encoding: string | undefined, wish: RecordWish = {}): ReturnType<typeof recordOf> =>
  recordOf({ body: '{}', ...wish, headers: encoding === undefined ? {} : { 'content-encoding': encoding } });

test.each(encodings)('an answer and a delivery with Content-Encoding %j: broken is %j', (encoding, isBroken) => {
  expect(breaks(answer(encoding), 'encoding.of-answers')).toBe(isBroken);
  const headers = new Map(encoding === undefined ? [] : [['content-encoding', encoding]]);
  expect(breaks({ ...callbackOf(authorised), headers }, 'encoding.of-deliveries')).toBe(isBroken);
});

test('an encoding that was asked for, and that of nothing, say nothing', () => {
  const asked = answer('gzip', { requestHeaders: { 'accept-encoding': 'gzip' } });
  expect(breaks(asked, 'encoding.of-answers')).toBeUndefined();
  expect(breaks({ ...answer('gzip'), body: Buffer.alloc(0) }, 'encoding.of-answers')).toBeUndefined();
});
