import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyJson, unknownName } from './containers.ts';

const seeded = { numRuns: 5000, seed: 1729 };

test('an unknown name is none of the known ones, and sometimes one of them in other letters', () => {
  const known = [...Array.from({ length: 95 }, (_, place) => String.fromCharCode(32 + place)), 'empresaId'];
  const names = fc.sample(unknownName(known), seeded);
  expect(names.filter((name) => known.includes(name) || name in Object.prototype)).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['', 'EMPRESAID', 'empresaid', 'empresaId_']));
});

test('any JSON value is one of every type, and JSON text keeps it', () => {
  const values = fc.sample(anyJson(), seeded);
  const types = values.map((value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value));
  expect(new Set(types)).toEqual(new Set(['null', 'boolean', 'number', 'string', 'array', 'object']));
  expect(JSON.parse(JSON.stringify(values))).toStrictEqual(values);
});
