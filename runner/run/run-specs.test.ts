import { expect, test } from 'vitest';
import { strayChecks } from './run-specs.ts';

test('a check stands in a file of its topic, else --clause would never load it', () => {
  expect(strayChecks('webhook-delivery.issuance.spec.ts', [{ clause: 'webhook-delivery.event-id-stable' }])).toEqual(
    [],
  );
  const stray = { clause: 'webhook-url.called-exactly' };
  expect(strayChecks('webhook-delivery.issuance.spec.ts', [stray, stray])).toEqual([
    'webhook-delivery.issuance.spec.ts: a check of webhook-url.called-exactly belongs into the spec of its topic',
  ]);
});
