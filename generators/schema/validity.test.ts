import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultsBy, isDateTime, placeOf } from './keywords.ts';
import { anyJson, unknownName } from './containers.ts';

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
    const faults = faultsBy(schema, {})({ c: 1 });
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
