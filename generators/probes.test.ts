import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endpoints } from '../contract/endpoints.ts';
import { issuanceRequest } from '../schemas/messages.ts';
import { member } from '../schemas/values.ts';
import { validator } from '../schemas/validate.ts';
import { anyProbe, plainProbes } from './probes.ts';

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
