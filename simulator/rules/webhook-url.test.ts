import { describe, expect, test } from 'vitest';
import { webhookUrlRules } from './webhook-url.ts';

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
