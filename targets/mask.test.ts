import { expect, test } from 'vitest';
import { maskAt } from './mask.ts';
import { foreignAddress } from './testing/foreign-address.ts';

const secret = 'Ab3dEf6hIj9lMn2pQr5t';
const near = [secret.slice(0, -1), `${secret}x`, secret.toUpperCase(), `x${secret.slice(1)}`, 'abcdef', 'abcde'];
const mask = maskAt(foreignAddress('http://127.0.0.1'), new Map([[secret, '$NFE_APP_SECRET']]), {
  tokens: [secret, ...near],
});

test('a token that was sent and is nearly the secret is told from the secret, and neither shows', () => {
  expect(mask(secret)).toBe('$NFE_APP_SECRET');
  for (const token of near.slice(0, -1))
    expect(mask(`"${token}"`)).toBe(`"(another token of ${token.length} characters)"`);
});

test('a token of five characters shows, since hiding it would blot out half a report', () => {
  expect(mask('abcde')).toBe('abcde');
});

test('what the target says of its application by right shows, though the secret is like it', () => {
  const credentials = { active: secret, appKey: secret.slice(0, 10) };
  const ofCaller = maskAt(
    { ...foreignAddress('http://127.0.0.1'), credentials },
    new Map([[secret, '$NFE_APP_SECRET']]),
  );
  expect(ofCaller(`{"appKey":"${credentials.appKey}"}`)).toContain(credentials.appKey);
  expect(ofCaller(secret)).toBe('$NFE_APP_SECRET');
});
