import { describe, expect, test } from 'vitest';
import {
  chave,
  chaveOrEmpty,
  emptyText,
  filledText,
  httpUrl,
  visibleText,
  utcTime,
  utcTimeOrEmpty,
  utcTimeOrNull,
  secondsOfTime,
} from './texts.ts';
import { validator } from './validate.ts';
import fc from 'fast-check';
import { instanceOf } from '../generators/from-schema.ts';

const digits = '35200114200166000187550010000000071123456789';

describe('a value fits', () => {
  test.each([
    ['an absolute URL', httpUrl, 'https://docs.example/nfe/1.xml?token=a%20b#x'],
    ['an absolute URL', httpUrl, 'http://127.0.0.1:8080'],
    ['an absolute URL', httpUrl, 'HTTP://[::1]:80/'],
    ['an absolute URL', httpUrl, 'http://host?token=1'],
    ['a chave', chave, digits],
    ['a chave or none', chaveOrEmpty, digits],
    ['a chave or none', chaveOrEmpty, ''],
    ['an empty text', emptyText, ''],
    ['a filled text', filledText, ' '],
    ['a visible text', visibleText, ' 不 '],
  ])('%s: %j', (_what, schema, value) => {
    expect(validator(schema)(value)).toEqual([]);
  });
});

describe('a value does not fit', () => {
  test.each([
    ['an absolute URL', httpUrl, '/nfe/1.xml'],
    ['an absolute URL', httpUrl, '//docs.example/1.xml'],
    ['an absolute URL', httpUrl, 'docs.example/1.xml'],
    ['an absolute URL', httpUrl, 'http:/docs.example'],
    ['an absolute URL', httpUrl, 'http://'],
    ['an absolute URL', httpUrl, 'https:///1.xml'],
    ['an absolute URL', httpUrl, 'ftp://docs.example/1.xml'],
    ['an absolute URL', httpUrl, 'https://docs.example/a b'],
    ['an absolute URL', httpUrl, 'https://docs.example/\n'],
    ['an absolute URL', httpUrl, ' https://docs.example'],
    ['an absolute URL', httpUrl, ''],
    ['an absolute URL', httpUrl, null],
    ['a chave', chave, ''],
    ['a chave', chave, digits.slice(1)],
    ['a chave', chave, `${digits}0`],
    ['a chave', chave, `NFe${digits}`],
    ['a chave', chave, digits.replace('7', '٧')],
    ['a chave', chave, Number(digits)],
    ['a chave or none', chaveOrEmpty, digits.slice(1)],
    ['a chave or none', chaveOrEmpty, null],
    ['an empty text', emptyText, ' '],
    ['an empty text', emptyText, null],
    ['a filled text', filledText, ''],
    ['a visible text', visibleText, ' \n'],
  ])('%s: %j', (_what, schema, value) => {
    expect(validator(schema)(value)).toHaveLength(1);
  });
});

const faultsOf = validator(utcTime);

describe('a UTC time', () => {
  test.each([
    '2026-09-04T12:34:56Z',
    '2026-09-04T12:34:56+00:00',
    '2026-09-04T12:34:56.1Z',
    '2026-09-04T12:34:56.123456789+00:00',
    '2026-09-04T12:34Z',
    '2026-09-04T12:34+00:00',
    '2026-09-04T12:34:56,123Z',
    '20260904T123456Z',
    '20260904T1234Z',
    '20260904T123456,5Z',
    '2026-01-31T00:00:00Z',
    '2026-04-30T23:59:59Z',
    '2024-02-29T00:00:00Z',
  ])('is %s', (text) => {
    expect(faultsOf(text)).toEqual([]);
  });

  test.each([
    '',
    '2026-09-04',
    '2026-09-04T12Z',
    '2026-09-04T12:34.5Z',
    '2026-09-04T12:34',
    '2026-09-04T12:34:56',
    '2026-09-04 12:34:56Z',
    '2026-09-04T12:34:56z',
    '2026-09-04T12:34:56.Z',
    '2026-09-04T12:34:56-03:00',
    '2026-09-04T12:34:56-00:00',
    '2026-09-04T12:34:56+0000',
    '20260904T12:34:56Z',
    '2026-09-04T123456Z',
    '20260904123456Z',
    '20260904T123456-0300',
    '20260904T123456+00:00',
    '20260230T000000Z',
    '2026-09-04T24:00:00Z',
    '2026-09-04T12:60:00Z',
    '2026-09-04T12:34:60Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '04/09/2026 12:34:56',
    '1788525296',
    ' 2026-09-04T12:34:56Z',
    '2026-09-04T12:34:56Z\n',
    1788525296,
    null,
  ])('is not %j', (value) => {
    expect(faultsOf(value)).toHaveLength(1);
  });

  test('is whatever a clock writes, of any year', () => {
    const instant = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(instant, (at) => {
        expect(faultsOf(at.toISOString())).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  test('is on a day that the calendar has, but for 29 February', () => {
    fc.assert(
      fc.property(instanceOf(utcTime), (text) => {
        const time = typeof text === 'string' ? text : '';
        const [, month, day] = /^\d{4}-?(\d\d)-?(\d\d)/.exec(time) ?? [];
        fc.pre(`${month}${day}` !== '0229');
        expect(new Date(1000 * secondsOfTime(time)).toISOString().slice(5, 10)).toBe(`${month}-${day}`);
      }),
      { numRuns: 1000 },
    );
  });
});

test.each([
  ['null', utcTimeOrNull, null, ''],
  ['an empty text', utcTimeOrEmpty, '', null],
])('where there may be none, %s stands for it', (_what, schema, none, other) => {
  expect(validator(schema)('2026-09-04T12:34:56Z')).toEqual([]);
  expect(validator(schema)(none)).toEqual([]);
  expect(validator(schema)(other)).toHaveLength(1);
  expect(validator(schema)('2026-09-04')).toHaveLength(1);
});
