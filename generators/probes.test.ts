import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import { endpoints } from '../contract/endpoints.ts';
import { issuanceRequest } from '../schemas/messages.ts';
import { member } from '../schemas/values.ts';
import { validator } from '../schemas/validate.ts';
import { anyProbe, plainProbes } from './probes.ts';
import { createHash } from 'node:crypto';
import { recipePairs } from './testing/recipe-pairs.ts';

describe('probes', () => {
  const faultsOfIssuance = validator(issuanceRequest);
  const bodyOf = (call: { readonly rawBody?: Buffer }): unknown => JSON.parse(call.rawBody?.toString('utf8') ?? '');

  test('every endpoint has a plain probe', () => {
    expect(plainProbes.map(({ name }) => name)).toEqual(endpoints.map(({ name }) => name));
  });

  test('a probe of an endpoint that takes JSON is well written, and lacks what an issuance requires', () => {
    fc.assert(
      fc.property(anyProbe(['echo', 'empresa-registration', 'webhook-registration', 'nfe-issuance']), (probe) => {
        const body = bodyOf(probe.callAs('application/xml'));
        expect(faultsOfIssuance(body)).not.toEqual([]);
        expect(typeof (member(body, 'message') ?? member(body, 'conformanceProbe'))).toBe('string');
      }),
    );
  });

  test('a probe of the XML endpoint is a document without markup but its root', () => {
    fc.assert(
      fc.property(anyProbe(['nfe-verification']), (probe) => {
        const { contentType, rawBody } = probe.callAs('text/xml');
        expect(contentType).toBe('text/xml');
        expect(rawBody?.toString('utf8')).toMatch(/^<conformanceProbe>[^<&>]*<\/conformanceProbe>$/);
      }),
    );
  });

  test('of a hundred probes with a body nearly all are different requests', () => {
    const probes = fc.sample(anyProbe(['nfe-issuance', 'certificado-association']), { numRuns: 100, seed: 7 });
    expect(new Set(probes.map((probe) => fc.stringify(probe))).size).toBeGreaterThan(90);
  });
});

describe('telling calls', () => {
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
          const hashed = Buffer.concat([
            Buffer.from(parts.token + parts.path),
            parts.body,
            Buffer.from(parts.timestamp),
          ]);
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
});
