import { expect, test } from 'vitest';
import { commonTexts } from './common-texts.ts';
import { secretMatcher } from './secrets/matcher.ts';

test.each([
  ['connection-test-77', 'connection: keep-alive'],
  ['authorization-of-acme', '{"error": "authorization failed"}'],
  ['requestId-4711', '{"requestId": "9a1f"}'],
  ['integrador-mensagem-1', '[{"codigo": 1404, "mensagem": "x"}]'],
  ['jsessionid-of-acme', 'JSESSIONID=4a5b; Path=/'],
  ['application-acme-9', 'no other application of the target'],
])('of the secret %s a word that any server says is no part: %s', (secret, text) => {
  const { find } = secretMatcher([{ secret, stand: '$NFE_APP_SECRET' }], { common: commonTexts() });
  expect(find(text)).toEqual([]);
  expect(find(`${text} ${secret.slice(-9)}`)).toHaveLength(1);
});

test('of a secret that what is open is a part of, that part is none', () => {
  const secret = 'minha-chave-app-0001';
  const { find } = secretMatcher([{ secret, stand: '$NFE_APP_SECRET' }], { common: commonTexts(['minha-chave-app']) });
  expect(find('echo says minha-chave-app')).toEqual([]);
  expect(find(`echo says ${secret}`)).toHaveLength(1);
});
