import { describe, expect, test } from 'vitest';
import { maskFor } from './mask.ts';
import { secretSearch } from './secret-search.ts';

const secret = `s3cr&t<'"\\>_*key`;
const secrets = new Map([
  [secret, '$NFE_APP_SECRET'],
  ['another-one', '$NFE_APP_SECRET_DISABLED'],
]);
const { foundIn, sought } = secretSearch(secrets);
const references = (text: string, form: (code: number) => string): string =>
  text.replace(/[&<>"'_*]/g, (character) => form(character.charCodeAt(0)));

describe('a search for secrets', () => {
  test('counts what it seeks', () => {
    expect(sought).toBe(2);
    expect(secretSearch(new Map([['', '$NOTHING']])).sought).toBe(0);
  });

  test.each([
    ['as it is', secret],
    ['in base64, at any alignment', Buffer.from(`x${secret}`).toString('base64')],
    ['in hex', Buffer.from(secret).toString('hex')],
    ['URL-encoded', encodeURIComponent(secret)],
    ['in a JSON string', JSON.stringify({ a: secret })],
    ['in a JSON string in a script', JSON.stringify(secret).replaceAll('<', '\\u003c').replaceAll('&', '\\u0026')],
    ['with decimal references', references(secret, (code) => `&#${code};`)],
    ['with hexadecimal references', references(secret, (code) => `&#x${code.toString(16)};`)],
    [
      'with named references',
      secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('>', '&gt;'),
    ],
    ['URL-encoded and escaped', references(encodeURIComponent(secret), (code) => `&#${code};`)],
  ])('finds one %s, and names what stands for it', (_, text) => {
    expect(foundIn(`before ${text} after`)).toEqual(['$NFE_APP_SECRET']);
  });

  test('finds those that were made for the run, wherever they stand, among very many', () => {
    const made = new Set(Array.from({ length: 500 }, (_, index) => `made-secret-${String(index).padStart(20, '0')}`));
    const many = secretSearch(secrets, new Set([...made, 'short-one', secret]));
    const [first = ''] = made;
    expect(many.sought).toBe(503);
    for (const text of [first, `"${first}"`, `x${first}y`, '=short-one;'])
      expect(many.foundIn(text)).toEqual(['$APP_SECRET']);
    expect(many.foundIn(first.slice(1))).toEqual([]);
  });

  test('finds one that looks like an escape itself', () => {
    const escape = secretSearch(new Map([['s3cr&amp;t', '$ONE']]));
    expect(escape.foundIn('a s3cr&amp;t b')).toEqual(['$ONE']);
    expect(escape.foundIn('a s3cr&#38;amp;t b')).toEqual(['$ONE']);
  });

  test('finds nothing where a mask has been', () => {
    const text = [secret, 'another-one', encodeURIComponent(secret)].join(' ');
    expect(foundIn(maskFor(secrets)(text))).toEqual([]);
  });

  test('does not take what stands for a secret for the secret', () => {
    const short = secretSearch(
      new Map([
        ['APP_SECRET', '$NFE_APP_SECRET'],
        ['SECRET_DISABLED', '$NFE_APP_SECRET_DISABLED'],
      ]),
    );
    expect(short.foundIn('$NFE_APP_SECRET and $NFE_APP_SECRET_DISABLED')).toEqual([]);
    expect(short.foundIn('&#36;NFE&#95;APP&#95;SECRET and &#36;NFE_APP_SECRET_DISABLED')).toEqual([]);
    expect(short.foundIn('an APP_SECRET')).toEqual(['$NFE_APP_SECRET']);
  });

  test('does not make a secret of what stands on both sides of another one', () => {
    const two = new Map([
      ['keys-keys', '$ONE'],
      ['something', '$TWO'],
    ]);
    expect(secretSearch(two).foundIn('keys$TWO-keys')).toEqual([]);
  });

  test('does not seek what is shorter than 8 characters, which any report holds by chance', () => {
    const short = secretSearch(new Map([['1234567', '$SENHA']]), new Set(['1234567', '12345678']));
    expect(short.sought).toBe(1);
    expect(short.foundIn('1234567')).toEqual([]);
    expect(short.foundIn('12345678')).toEqual(['$APP_SECRET']);
  });

  test('takes a reference to no character as it stands', () => {
    expect(foundIn('&#9999999; &#xffffff; &nbsp; \\uZZZZ')).toEqual([]);
  });
});
