import { describe, expect, test } from 'vitest';
import { chave, chaveOrEmpty, emptyText, filledText, httpUrl, visibleText } from './texts.ts';
import { validator } from './validate.ts';

const digits = '35200114200166000187550010000000071123456789';

describe('a value fits', () => {
  test.each([
    ['an absolute URL', httpUrl, 'https://docs.example/nfe/1.xml?token=a%20b#x'],
    ['an absolute URL', httpUrl, 'http://127.0.0.1:8080'],
    ['an absolute URL', httpUrl, 'HTTP://[::1]:80/'],
    ['an absolute URL', httpUrl, 'http://host?token=1'],
    ['a chave', chave, digits],
    ['a chave or none', chaveOrEmpty, digits],
    ['a chave or none', chaveOrEmpty, ''],
    ['an empty text', emptyText, ''],
    ['a filled text', filledText, ' '],
    ['a visible text', visibleText, ' 不 '],
  ])('%s: %j', (_what, schema, value) => {
    expect(validator(schema)(value)).toEqual([]);
  });
});

describe('a value does not fit', () => {
  test.each([
    ['an absolute URL', httpUrl, '/nfe/1.xml'],
    ['an absolute URL', httpUrl, '//docs.example/1.xml'],
    ['an absolute URL', httpUrl, 'docs.example/1.xml'],
    ['an absolute URL', httpUrl, 'http:/docs.example'],
    ['an absolute URL', httpUrl, 'http://'],
    ['an absolute URL', httpUrl, 'https:///1.xml'],
    ['an absolute URL', httpUrl, 'ftp://docs.example/1.xml'],
    ['an absolute URL', httpUrl, 'https://docs.example/a b'],
    ['an absolute URL', httpUrl, 'https://docs.example/\n'],
    ['an absolute URL', httpUrl, ' https://docs.example'],
    ['an absolute URL', httpUrl, ''],
    ['an absolute URL', httpUrl, null],
    ['a chave', chave, ''],
    ['a chave', chave, digits.slice(1)],
    ['a chave', chave, `${digits}0`],
    ['a chave', chave, `NFe${digits}`],
    ['a chave', chave, digits.replace('7', '٧')],
    ['a chave', chave, Number(digits)],
    ['a chave or none', chaveOrEmpty, digits.slice(1)],
    ['a chave or none', chaveOrEmpty, null],
    ['an empty text', emptyText, ' '],
    ['an empty text', emptyText, null],
    ['a filled text', filledText, ''],
    ['a visible text', visibleText, ' \n'],
  ])('%s: %j', (_what, schema, value) => {
    expect(validator(schema)(value)).toHaveLength(1);
  });
});
