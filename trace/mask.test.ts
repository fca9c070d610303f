import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskFor, commonTexts } from './mask.ts';
import { secretMatcher } from './secrets/matcher.ts';

const secret = 'canary/+"secret"=é-0123456789';
const mask = maskFor(new Map([[secret, '$NFE_APP_SECRET']]));

const spellings: [string, string][] = [
  ['raw', secret],
  ['JSON', JSON.stringify(secret).slice(1, -1)],
  ['URL-encoded', encodeURIComponent(secret)],
  ['in a JSON pointer', secret.replaceAll('/', '~1')],
  ['hex', Buffer.from(secret).toString('hex')],
  ['upper-case hex', Buffer.from(secret).toString('hex').toUpperCase()],
];

test.each(spellings)('a secret does not show when it is written %s', (_, spelling) => {
  expect(mask(`before ${spelling} after`)).toBe('before $NFE_APP_SECRET after');
});

test('a secret does not show in base64, whatever stands around it', () => {
  const around = fc.uint8Array({ maxLength: 12 });
  const core = Buffer.from(secret).toString('base64').slice(4, 20);
  fc.assert(
    fc.property(around, around, fc.boolean(), (before, after, url) => {
      const bytes = Buffer.concat([before, Buffer.from(secret), after]);
      const masked = mask(bytes.toString(url ? 'base64url' : 'base64'));
      expect(masked).toContain('$NFE_APP_SECRET');
      expect(masked).not.toContain(core);
    }),
  );
});

test('a longer secret is masked before a shorter one that it contains', () => {
  const both = maskFor(
    new Map([
      ['abc', '$SHORT'],
      ['abcdef', '$LONG'],
    ]),
  );
  expect(both('abcdef abc')).toBe('$LONG $SHORT');
});

test('a text without a secret is left as it is', () => {
  expect(mask('nothing to hide: 10009003')).toBe('nothing to hide: 10009003');
});

test('a secret of one character is masked where it stands and nowhere else', () => {
  expect(maskFor(new Map([['1', '$PIN']]))('abc 1')).toBe('abc $PIN');
});

test('a secret that reads like a pattern is masked as it stands, and nothing else', () => {
  const pattern = maskFor(new Map([['a.c|[x]*$^(b)', '$NFE_APP_SECRET']]));
  expect(pattern('a.c|[x]*$^(b) abc x')).toBe('$NFE_APP_SECRET abc x');
});

test('what stands for a secret is written as it is, and not searched for another secret', () => {
  const two = maskFor(
    new Map([
      ['the-other-one', '$$&_APP_SECRET'],
      ['APP_SECRET', '$TWO'],
    ]),
  );
  expect(two('the-other-one APP_SECRET')).toBe('$$&_APP_SECRET $TWO');
});

test('without secrets a text is left as it is', () => {
  expect(maskFor(new Map([['', '$NOTHING']]))('a text')).toBe('a text');
});

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
