import { describe, expect, test } from 'vitest';
import { parseJsonObject } from './json.ts';

function nested(levels: number, inside = ''): Buffer {
  return Buffer.from(`{"a":${'['.repeat(levels - 1)}${inside}${']'.repeat(levels - 1)}}`);
}

describe('a body', () => {
  test('with a JSON object is that object', () => {
    expect(parseJsonObject(Buffer.from(' {"a":[1,{"b":"ç"}]} '))).toEqual({ a: [1, { b: 'ç' }] });
  });

  test.each(['', '[]', '1', 'null', '"a"', '{', '{"a":1}{'])('that is %j is none', (text) => {
    expect(parseJsonObject(Buffer.from(text))).toBeUndefined();
  });

  test('that is not UTF-8 is none', () => {
    expect(parseJsonObject(Buffer.from('{"a":"ç"}', 'latin1'))).toBeUndefined();
  });

  test('is read a thousand levels deep, and no deeper', () => {
    expect(parseJsonObject(nested(1_000))).toBeDefined();
    expect(parseJsonObject(nested(1_001))).toBeUndefined();
  });

  test('may have brackets in its texts, escaped quotes before them too', () => {
    const text = `\\"${'[{'.repeat(2_000)}\\\\`;
    expect(parseJsonObject(Buffer.from(`{"a":"${text}"}`))).toBeDefined();
  });

  test('may have many brackets one behind the other', () => {
    expect(parseJsonObject(nested(2, Array.from({ length: 5_000 }, () => '{}').join(',')))).toBeDefined();
  });
});
