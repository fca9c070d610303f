import { describe, expect, test } from 'vitest';
import { splitTarget } from './request-facts.ts';

describe('request target', () => {
  test.each([
    ['/a/b', '/a/b', undefined],
    ['/a?', '/a', ''],
    ['/a?b=1?c', '/a', 'b=1?c'],
    ['/a/http://h/b', '/a/http://h/b', undefined],
    ['http://host:8080/a%2Fb?c', '/a%2Fb', 'c'],
    ['HTTPS://host/a', '/a', undefined],
    ['http://host?b', '', 'b'],
    ['*', '*', undefined],
  ])('%s has the path %j and the query %j', (target, path, query) => {
    expect(splitTarget(target)).toEqual({ path, query });
  });
});
