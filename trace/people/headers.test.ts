import { expect, test } from 'vitest';
import { shownHeaderName } from './headers.ts';
import { allowing } from './testing/allowances.ts';
import { viewOf } from './veil.ts';

const view = viewOf(allowing());

test.each(
  'Content-Type X-Correlation-Id CF-Ray x-amzn-RequestId X-B3-TraceId x-envoy-upstream-service-time X-Service-Event-Id X-Trace'.split(
    ' ',
  ),
)('the name of a header stays: %s', (name) => {
  expect(shownHeaderName(name, view)).toBe(name);
});

test.each(['X-Zuleica-Bittencourt', 'x-KDUxKSA5ODEyMy00NTY3', 'x-39053344705', `x-${'Bittencourt'.repeat(3)}`])(
  'one that may be the name or the number of somebody does not: %s',
  (name) => {
    expect(shownHeaderName(name, view)).toMatch(/^… \d+ characters/);
  },
);
