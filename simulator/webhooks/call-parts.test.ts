import { describe, expect, test } from 'vitest';
import { callPartsOf } from './call-parts.ts';

describe('an address, taken apart for a request,', () => {
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
