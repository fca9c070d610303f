import { expect, test } from 'vitest';
import { deliveryLine, startLines, summaryLine } from './receiver-lines.ts';
import type { LoggedDelivery } from '../../runner/received/receiver-folder.ts';

function delivery(...headers: [string, string][]): LoggedDelivery {
  return {
    pathName: 'path',
    method: 'POST',
    target: '/path',
    headers,
    rawBody: Buffer.from('é'),
    isTooLarge: false,
    arrivedAtMs: 1_800_000_000_123,
    answeredStatus: 200,
  };
}

test('a delivery is told by time, event type, event id and size, whatever the letter case of its headers', () => {
  const line = deliveryLine(
    delivery(['x-acme-event', 'invoice.verify.completed'], ['X-ACME-EVENT-ID', 'e-1'], ['X-Acme-Delivery-Id', 'd-1']),
    'X-Acme',
  );
  expect(line).toBe('2027-01-15T08:00:00.123Z  invoice.verify.completed  e-1  2 bytes');
});

test('the values of the token and the signature are not told', () => {
  const line = deliveryLine(delivery(['token', 'my-token'], ['X-Service-Signature', 'f00d']), 'X-Service');
  expect(line).toBe('2027-01-15T08:00:00.123Z  -  -  2 bytes');
});

test.each([
  ['steers a terminal', '\u009b2J\t', 4],
  ['fills it', 'a'.repeat(500), 500],
  ['names somebody', 'Maria Lima', 10],
  ['is a number of somebody', '390.533.447-05', 14],
])('of a header that %s only the length is told', (_, value, length) => {
  expect(deliveryLine(delivery(['X-Service-Event', value]), 'X-Service')).toContain(`  (${length} characters)  -  `);
});

test('a secret in an event id is told by the name of its setting', () => {
  const mask = (text: string): string => text.replace('a-secret', '$NFE_APP_SECRET');
  expect(deliveryLine(delivery(['X-Service-Event-Id', 'a-secret']), 'X-Service', mask)).toContain(
    '  $NFE_APP_SECRET  ',
  );
});

test('a body that was too large is told by what was read of it', () => {
  expect(deliveryLine({ ...delivery(), isTooLarge: true }, 'X-Service')).toContain('more than 2 bytes');
});

test('the summary leaves out what did not happen', () => {
  const none = { stored: 1, unstored: 0, unknownPath: 0, brokenOff: 0 };
  expect(summaryLine('SIGINT', none, 'a.jsonl')).toBe('stopped (SIGINT): 1 delivery stored in a.jsonl');
  expect(summaryLine('after 2 h', { stored: 0, unstored: 1, unknownPath: 1, brokenOff: 2 }, 'a.jsonl')).toBe(
    'stopped (after 2 h): 0 deliveries stored in a.jsonl; 1 not stored and answered 500; 1 request to other paths; 2 requests broken off',
  );
});

test('a receiver without a public address says that only this machine reaches it', () => {
  const start = { url: 'http://h/p', origin: 'http://h', logPath: 'a.jsonl', status: 200 };
  expect(startLines({ ...start, isReachable: false }).join()).toContain('NFE_WEBHOOK_PUBLIC_URL');
  expect(startLines({ ...start, isReachable: true, hours: 0.5 }).at(-1)).toMatch(/after 0\.5 h, or when interrupted$/);
});
