import { describe, expect, test } from 'vitest';
import { member } from './member.ts';

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
