import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recipePairs } from './testing/recipe-pairs.ts';

test('there are at least 40 wrong recipes', () => {
  expect(recipePairs.flatMap(([, recipes]) => recipes).length).toBeGreaterThanOrEqual(40);
});

test.each(recipePairs)(
  'every wrong recipe of %s gives another sign than the right one on each of its calls',
  (_, recipes, calls) => {
    fc.assert(
      fc.property(calls, (call) => {
        const isSigned = call.method === 'POST' && call.contentType?.startsWith('multipart') !== true;
        const body = Buffer.from((call.rawBody ?? '').toString('utf8').replaceAll(/[\r\n]/g, ''));
        const parts = {
          token: 'Token-1',
          path: call.path,
          body: isSigned ? body : Buffer.alloc(0),
          timestamp: '1790000000',
        };
        const hashed = Buffer.concat([Buffer.from(parts.token + parts.path), parts.body, Buffer.from(parts.timestamp)]);
        const right = createHash('md5').update(hashed).digest('hex');
        for (const { name, sign } of recipes) {
          expect(sign({ parts, call, baseUrl: 'https://host.example/prefix' }), name).not.toBe(right);
        }
      }),
    );
  },
);

test('no two recipes are called the same', () => {
  const names = recipePairs
    .filter(([name]) => name !== 'placeholders')
    .flatMap(([, recipes]) => recipes.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
});
