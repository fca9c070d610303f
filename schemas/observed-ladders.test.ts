import { expect, test } from 'vitest';
import { distinctLadders } from './observed-ladders.ts';
import type { ObservedLadder } from './results.ts';

function ladder(rest: Partial<ObservedLadder> = {}): ObservedLadder {
  return { channel: 'verification', source: 'moved-clock', retriesSeconds: [60], watchedSeconds: 900, ...rest };
}

test('equal ladders are one, others stand by channel and by how they were seen', () => {
  const real = ladder({ source: 'real-time' });
  const issuance = ladder({ channel: 'issuance', source: 'stored' });
  expect(distinctLadders([real, ladder(), issuance, ladder()])).toEqual([issuance, ladder(), real]);
});

test('ladders differ by their retries and by how long they were watched', () => {
  const all = [ladder(), ladder({ retriesSeconds: [60, 360] }), ladder({ watchedSeconds: 901 })];
  expect(distinctLadders(all)).toHaveLength(3);
});
