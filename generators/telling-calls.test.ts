import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Call } from '../contract/request.ts';
import { chave } from './domain.ts';
import { multipartCall, pathCall } from './calls.ts';
import {
  accentedCall,
  brokenCall,
  longCall,
  plainCall,
  queriedCall,
  spacedCall,
  variableCall,
  writtenCall,
} from './telling-calls.ts';
import {
  wrongEncodings,
  wrongExtents,
  wrongLineBreaks,
  wrongMultipart,
  wrongPlaceholders,
  wrongSerialisations,
  wrongStripping,
} from './wrong-recipes/body.ts';
import { wrongHashes, wrongOrders, wrongSeparators, wrongTimestamps, wrongTokens } from './wrong-recipes/hash.ts';
import {
  wrongExtras,
  wrongHosts,
  wrongPathForms,
  wrongPrefixes,
  wrongQueries,
  wrongVariables,
} from './wrong-recipes/path.ts';
import type { WrongRecipe } from './wrong-recipes/recipe.ts';

const pairs: readonly (readonly [string, readonly WrongRecipe[], fc.Arbitrary<Call>])[] = [
  ['orders', wrongOrders, plainCall()],
  ['separators', wrongSeparators, plainCall()],
  ['hashes', wrongHashes, plainCall()],
  ['tokens', wrongTokens, plainCall()],
  ['timestamps', wrongTimestamps, plainCall()],
  ['prefixes', wrongPrefixes, plainCall()],
  ['hosts', wrongHosts, plainCall()],
  ['extras', wrongExtras, plainCall()],
  ['queries', wrongQueries, queriedCall()],
  ['line breaks', wrongLineBreaks, brokenCall()],
  ['stripping', wrongStripping, spacedCall()],
  ['encodings', wrongEncodings, accentedCall()],
  ['serialisations', wrongSerialisations, writtenCall()],
  ['extents', wrongExtents, longCall()],
  ['variables', wrongVariables, variableCall()],
  ['path forms', wrongPathForms, variableCall()],
  ['placeholders', wrongPlaceholders, chave().map((value) => pathCall('chave-lookup', { chave: value }))],
  ['multipart', wrongMultipart, fc.constant(multipartCall('content'))],
];

test('there are at least 40 wrong recipes', () => {
  expect(pairs.flatMap(([, recipes]) => recipes).length).toBeGreaterThanOrEqual(40);
});

test.each(pairs)(
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
  const names = pairs
    .filter(([name]) => name !== 'placeholders')
    .flatMap(([, recipes]) => recipes.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
});
