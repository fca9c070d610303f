import fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { ownSchemas } from '../schemas/validate.ts';
import { exampleSchemas } from './testing/example-schemas.ts';
import { instanceOf, projectSchemas } from './from-schema.ts';
import { isArray, isObject, type JsonSchema } from './json.ts';
import { isDateTime, faultsBy, placeOf } from './schema/keywords.ts';
import { NoInstance } from './named.ts';
import { anyJson, unknownName } from './schema/containers.ts';
import type { JsonValue } from '../schemas/values.ts';

const schemas = [...Object.entries(exampleSchemas), ...(await projectSchemas())];
const seeded = { numRuns: 200, seed: 1729 };

function validatorOf(schema: JsonSchema): (value: JsonValue) => boolean {
  const formats = { 'date-time': isDateTime };
  const validate = new Ajv2020({ ...ownSchemas, allErrors: true, strict: false, formats }).compile(schema);
  return (value) => validate(value);
}

function samples(schema: JsonSchema): JsonValue[] {
  return fc.sample(instanceOf(schema), seeded);
}

function texts(schema: JsonSchema): string[] {
  return samples(schema).filter((value) => typeof value === 'string');
}

/** The smallest value that is found when every value counts as a failure that `fails` says is one. */
function smallest(schema: JsonSchema, fails: (value: JsonValue) => boolean): JsonValue | undefined {
  return fc.check(
    fc.property(instanceOf(schema), (value) => !fails(value)),
    seeded,
  ).counterexample?.[0];
}

function fieldCount(value: JsonValue): number {
  return isObject(value) ? Object.keys(value).length : -1;
}

describe('every instance is valid', () => {
  test.each(schemas)('of the schema "%s"', (_name, schema) => {
    const isValid = validatorOf(schema);
    fc.assert(
      fc.property(instanceOf(schema), (value) => {
        expect(isValid(value)).toBe(true);
      }),
      seeded,
    );
  });
});

describe('instances vary', () => {
  test('an optional field is there or not', () => {
    const objects = samples(exampleSchemas['required and optional'] ?? {}).filter(isObject);
    const present = objects.map((object) => ['b', 'c'].filter((name) => name in object).join('+'));
    expect(new Set(present)).toEqual(new Set(['', 'b', 'c', 'b+c']));
  });

  test('unknown fields come where the schema is open', () => {
    const counts = samples({ type: 'object', properties: { a: { type: 'null' } } }).map(fieldCount);
    expect(Math.max(...counts)).toBeGreaterThan(1);
  });

  test('the shortest and the longest text come, counted in code points', () => {
    const lengths = texts({ type: 'string', minLength: 3, maxLength: 90 }).map((text) => Array.from(text).length);
    expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([3, 90]);
  });

  test('the fewest and the most items come', () => {
    const counts = samples({ type: 'array', items: { type: 'null' }, minItems: 1, maxItems: 12 }).map((list) =>
      isArray(list) ? list.length : -1,
    );
    expect([Math.min(...counts), Math.max(...counts)]).toEqual([1, 12]);
  });

  test('a text has astral characters and is never half of one', () => {
    const found = texts({ type: 'string' });
    expect(found.some((text) => /[\u{10000}-\u{10FFFF}]/u.test(text))).toBe(true);
    expect(found.every((text) => text.isWellFormed())).toBe(true);
  });

  test('numbers are whole and broken, and never negative zero', () => {
    const numbers = samples({ type: 'number', minimum: -1, maximum: 1 });
    expect(new Set(numbers.map(Number.isInteger))).toEqual(new Set([true, false]));
    expect(numbers.some((value) => Object.is(value, -0))).toBe(false);
  });

  test('each alternative, each listed value comes', () => {
    expect(new Set(samples(exampleSchemas['anyOf'] ?? {}).map((value) => typeof value))).toEqual(
      new Set(['string', 'number', 'object']),
    );
    expect(new Set(samples(exampleSchemas['enum'] ?? {}))).toEqual(new Set(['Autorizada', 'Negada', 7, null]));
  });

  test('one seed repeats every instance', () => {
    const schema = exampleSchemas['required and optional'] ?? {};
    expect(samples(schema)).toEqual(samples(schema));
    expect(samples(schema)).not.toEqual(fc.sample(instanceOf(schema), { ...seeded, seed: 1 }));
  });
});

describe('instances shrink', () => {
  test('to required fields with the smallest values', () => {
    const schema: JsonSchema = {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string' }, b: { type: 'integer' }, c: { type: 'boolean' } },
    };
    expect(smallest(schema, () => true)).toEqual({ a: '' });
  });

  test('to the shortest array that fails', () => {
    const schema: JsonSchema = { type: 'array', items: { type: 'integer' } };
    expect(smallest(schema, (value) => isArray(value) && value.length >= 2)).toEqual([0, 0]);
  });
});

describe('a schema is refused', () => {
  const unknown = { type: 'object', properties: { 'a/b': { type: 'array', prefixItems: [] } } } as const;

  test.each([
    ['for an unknown keyword', unknown, '#/properties/a~1b/prefixItems: prefixItems is not a keyword'],
    ['for an unknown format', { items: { format: 'uuid' } }, '#/items/format: format can only be date-time'],
  ] satisfies [string, JsonSchema, string][])('%s', (_why, schema, message) => {
    expect(() => instanceOf(schema)).toThrow(message);
  });

  test.each([
    ['no string is that short', { type: 'string', minLength: 3, maxLength: 2 }],
    ['no integer lies between', { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 }],
    ['no number lies between', { type: 'number', minimum: 2, maximum: 1 }],
    ['nothing is of both types', { type: 'string', allOf: [{ type: 'integer' }] }],
    ['a required field is forbidden', { type: 'object', required: ['a'], properties: { a: false } }],
    ['nothing matches the pattern at that length', { type: 'string', pattern: '^a$', minLength: 2 }],
  ] satisfies [string, JsonSchema][])('where %s', (_why, schema) => {
    expect(() => fc.sample(instanceOf(schema), 1)).toThrow(NoInstance);
  });
});

describe('validity', () => {
  describe('a date-time', () => {
    test.each([
      '2026-09-04T12:34:56Z',
      '2026-09-04T12:34:56.123456789-03:00',
      '2024-02-29t00:00:00z',
      '1900-01-01T23:59:59+23:59',
    ])('is %s', (text) => {
      expect(isDateTime(text)).toBe(true);
    });

    test.each([
      '2026-09-04',
      '2026-09-04T12:34:56',
      '2026-09-04 12:34:56Z',
      '2026-09-04T12:34Z',
      '2026-09-04T12:34:56.Z',
      '2026-09-04T24:00:00Z',
      '2026-09-04T12:60:00Z',
      '2026-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-00-01T00:00:00Z',
      '2026-09-04T12:34:56+24:00',
      '2026-09-04T12:34:56Z\n',
      '',
    ])('is not %j', (text) => {
      expect(isDateTime(text)).toBe(false);
    });
  });

  test('all faults of a value are told, a missing field at its own place', () => {
    const schema = { type: 'object', required: ['a/b'], properties: { c: { type: 'string' } } } as const;
    const faults = faultsBy(schema)({ c: 1 });
    expect(faults.map((fault) => `${fault.keyword} ${placeOf(fault)}`)).toEqual(['required /a~1b', 'type /c']);
  });
});

describe('containers', () => {
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
});
