import { describe, expect, test } from 'vitest';
import { callPartsOf, webhookUrlRules } from './webhook-url.ts';

describe('an address', () => {
  test.each([
    'http://h',
    'https://receiver.example/path?query=1#fragment',
    'HTTP://user:password@127.0.0.1:8080/',
    'http://[::1]:80/ação',
    `http://h/${'a'.repeat(2039)}`,
  ])('%s is absolute http or https', (url) => {
    expect(webhookUrlRules.isCallable(url)).toBe(true);
  });

  test.each([
    '',
    '/path',
    'receiver.example/path',
    '//receiver.example/path',
    'ftp://receiver.example',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http:receiver.example',
    'http:/receiver.example',
    'http://',
    'http:///path',
    'http://?query',
    'http:\\\\receiver.example',
    'http://receiver.example\\path',
    ' http://receiver.example',
    'http://receiver.example/a b',
    'http://receiver.example/\n',
    'http://h:99999',
    'http://a b/',
    `http://h/${'a'.repeat(2040)}`,
  ])('%j is not', (url) => {
    expect(webhookUrlRules.isCallable(url)).toBe(false);
  });
});

describe('taken apart for a request', () => {
  test.each([
    ['http://h', 'http://h', '/'],
    ['https://h:443', 'https://h', '/'],
    ['http://h:8080?a=b', 'http://h:8080', '/?a=b'],
    ['http://h/a/../b/./c//d?x=%zz&y=[1]#z', 'http://h', '/a/../b/./c//d?x=%zz&y=[1]'],
    ['http://H/%C3%A7', 'http://h', '/%C3%A7'],
    ['http://h/ç?ç', 'http://h', '/%C3%A7?%C3%A7'],
  ])('%s is %s and %s', (url, origin, path) => {
    expect(callPartsOf(url)).toEqual({ origin, path });
  });

  test('a user becomes basic credentials, and is no part of the rest', () => {
    expect(callPartsOf('http://us%40er:p%3Aw@h/a')).toEqual({
      origin: 'http://h',
      path: '/a',
      authorization: `Basic ${Buffer.from('us@er:p:w').toString('base64')}`,
    });
  });
});
