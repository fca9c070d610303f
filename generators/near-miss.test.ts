import fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { ownSchemas } from '../schemas/validate.ts';
import { exampleSchemas } from './testing/example-schemas.ts';
import { pointerTo, type JsonSchema } from './json.ts';
import { nearMissKinds, nearMissOf } from './near-miss.ts';
import { projectSchemas } from './from-schema.ts';
import { isDateTime } from './schema/keywords.ts';
import { NoInstance } from './named.ts';
import type { JsonValue } from '../schemas/values.ts';

const hopeless = ['everything'];
/** What the suite itself writes: large, and nobody sends a near miss of it. */
const own = ['results', 'trace-line', 'history-line'];
const schemas = [...Object.entries(exampleSchemas), ...(await projectSchemas())];
const missable = schemas.filter(([name]) => ![...hopeless, ...own].includes(name));
const seeded = { numRuns: 40, seed: 1729 };

/** What Ajv finds wrong, as "keyword pointer", but for the keywords that only frame another. */
function faultsBy(schema: JsonSchema): (value: JsonValue) => string[] {
  const formats = { 'date-time': isDateTime };
  const validate = new Ajv2020({ ...ownSchemas, allErrors: true, strict: false, formats }).compile(schema);
  return (value) => {
    validate(value);
    const faults = (validate.errors ?? []).filter(({ keyword }) => !/^(anyOf|oneOf)$/.test(keyword));
    return faults.map(({ keyword, instancePath, params }) =>
      keyword === 'required'
        ? `${keyword} ${pointerTo(instancePath, String(params['missingProperty']))}`
        : `${keyword} ${instancePath}`,
    );
  };
}

function kindsOf(schema: JsonSchema): string[] {
  return nearMissKinds(schema).map(({ keyword, pointer }) => `${keyword} ${pointer}`);
}

function kindsOfExample(name: string): string[] {
  return kindsOf(exampleSchemas[name] ?? {});
}

describe('every near miss breaks the keyword that it names, there, and nothing else', () => {
  test.each(missable)('of the schema "%s"', (_name, schema) => {
    const faults = faultsBy(schema);
    fc.assert(
      fc.property(nearMissOf(schema), ({ value, keyword, pointer, what }) => {
        expect(new Set(faults(value))).toEqual(new Set([`${keyword} ${pointer}`]));
        expect(what).not.toBe('');
      }),
      seeded,
    );
  });
});

describe('the kinds of near miss', () => {
  test.each(missable)('all come, of the schema "%s"', (_name, schema) => {
    const kinds = kindsOf(schema);
    const misses = nearMissOf(schema);
    const found = new Set<string>();
    for (let turn = 0; turn < 12 && found.size < kinds.length; turn += 1) {
      const drawn = fc.sample(misses, { seed: seeded.seed + turn, numRuns: kinds.length });
      for (const { keyword, pointer } of drawn) found.add(`${keyword} ${pointer}`);
    }
    expect(found).toEqual(new Set(kinds));
  });

  test.each([
    ['lengths', ['type ', 'minLength ', 'maxLength ']],
    ['date-time', ['type ', 'format ']],
    ['pattern', ['type ', 'pattern ']],
    ['integers strictly between', ['type ', 'exclusiveMinimum ', 'exclusiveMaximum ']],
    ['const', ['const ']],
    ['enum', ['enum ']],
    ['closed', ['type ', 'required /a', 'additionalProperties ', 'type /a', 'type /b']],
    ['more fields of one kind', ['type ', 'type /a', 'type /outro']],
    ['forbidden field', ['type ', 'false schema /a']],
    ['item counts', ['type ', 'minItems ', 'maxItems ', 'type /0']],
    ['nested arrays', ['type ', 'type /0', 'minItems /0', 'type /0/0', 'maxLength /0/0']],
    ['anyOf', ['type ']],
    ['every type', ['type ']],
    ['not', ['type /a', 'type /b', 'not ']],
  ])('of "%s" are those that can be had alone', (name, kinds) => {
    expect(new Set(kindsOfExample(name))).toEqual(new Set(kinds));
  });

  test('leave out a keyword that never breaks alone', () => {
    expect(kindsOf({ type: 'string', minLength: 1, pattern: '\\S' })).toEqual(['type ', 'pattern ']);
    expect(kindsOf({ type: 'string', maxLength: 44, pattern: '^\\d{44}$' })).toEqual(['type ', 'pattern ']);
  });
});

describe('a near miss', () => {
  test('says in words what is wrong', () => {
    const schema: JsonSchema = { type: 'object', required: ['a'], properties: { a: true } };
    const missing = fc.sample(nearMissOf(schema), seeded).find(({ keyword }) => keyword === 'required');
    expect(missing).toMatchObject({ keyword: 'required', pointer: '/a', what: '/a is missing' });
  });

  test('is repeated by its seed', () => {
    const schema = exampleSchemas['closed'] ?? {};
    expect(fc.sample(nearMissOf(schema), seeded)).toEqual(fc.sample(nearMissOf(schema), seeded));
  });

  test('is near: a number in quotes, a text with one character too many', () => {
    const integers = fc.sample(nearMissOf({ type: 'integer', minimum: 0 }), seeded).map(({ value }) => value);
    expect(integers.some((value) => typeof value === 'string' && /^\d+$/.test(value))).toBe(true);
    expect(integers).toContain(-1);
    const texts = fc.sample(nearMissOf({ type: 'string', maxLength: 3 }), seeded).map(({ value }) => value);
    expect(texts.some((value) => typeof value === 'string' && Array.from(value).length === 4)).toBe(true);
  });

  test.each(hopeless)('is refused for the schema "%s", which admits everything', (name) => {
    expect(() => nearMissOf(exampleSchemas[name] ?? {})).toThrow(NoInstance);
  });

  test('is refused for a schema with an unknown keyword', () => {
    const schema = { type: 'array', prefixItems: [true] } as const;
    expect(() => nearMissOf(schema)).toThrow('#/prefixItems');
    expect(() => nearMissKinds(schema)).toThrow('#/prefixItems');
  });
});
