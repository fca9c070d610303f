import { describe, expect, test, vi } from 'vitest';
import { member, jsonText, onFirstUse } from './values.ts';

describe('member', () => {
  describe('a member of a JSON object', () => {
    test('is found under its name, and within another under both', () => {
      const json: unknown = { data: { id: 'x' } };
      expect([member(json, 'data'), member(json, 'data', 'id')]).toEqual([{ id: 'x' }, 'x']);
    });

    test('is missing where there is none, or nothing that could hold one', () => {
      const found = [{}, null, 'text', 7, undefined].map((value) => member(value, 'data', 'id'));
      expect(found).toEqual(Array(5).fill(undefined));
    });

    test.for(['toString', 'constructor', '__proto__'])('is not what every object inherits: %s', (name) => {
      expect(member({}, name)).toBe(undefined);
      expect(member(JSON.parse(`{ "${name}": 1 }`), name)).toBe(1);
    });
  });
});

describe('json text', () => {
  test.each([
    [{ a: [1, 'x'] }, '{"a":[1,"x"]}'],
    [undefined, 'absent'],
    [JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)), 'an array of 1 items'],
    [JSON.parse('{"a":'.repeat(50_000) + '0' + '}'.repeat(50_000)), 'an object of too many levels'],
  ])('a value is told as its JSON, one that is nested too deep as what it is', (value, text) => {
    expect(jsonText(value)).toBe(text);
  });
});

describe('on first use', () => {
  test('a value is made when it is first asked for, and once, even an undefined one', () => {
    const make = vi.fn<() => undefined>();
    const value = onFirstUse(make);
    expect(make).not.toHaveBeenCalled();
    expect([value(), value()]).toEqual([undefined, undefined]);
    expect(make).toHaveBeenCalledTimes(1);
  });
});
