import { expect, test } from 'vitest';
import { tokenAmong } from './delivery-signature.ts';

const registered = 'Um-Token-de-32-caracteres-0123456';

test.each([
  [registered, { hasToken: true }],
  ['another', { hasToken: false }],
  ['', { hasToken: false }],
  [
    registered.slice(0, 16),
    { hasToken: false, tokenHint: 'the first 16 of the 33 characters of the registered token' },
  ],
  [registered.slice(-16), { hasToken: false, tokenHint: 'the last 16 of the 33 characters of the registered token' }],
  [registered.toLowerCase(), { hasToken: false, tokenHint: 'the registered token in other letters' }],
  [`"${registered}"`, { hasToken: false, tokenHint: 'the registered token with something around it' }],
])('a token that came as %j is %j', (came, told) => {
  const arrival = {
    method: 'POST',
    target: '/',
    httpVersion: '1.1',
    headers: [['Token', came] as const],
    rawBody: Buffer.from('{}'),
    body: Buffer.from('{}'),
    arrivedAtMs: 0,
    isTooLarge: false,
  };
  expect(tokenAmong(arrival, ['a token of before', registered])).toEqual(told);
});
