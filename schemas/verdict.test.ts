import { expect, test, describe } from 'vitest';
import { allFields, fieldsOfVerdict, lostFields, descriptionFields } from './verdict.ts';

const valid = { validationStatus: 'VALIDATED', cStat: null };
const rejected = { validationStatus: 'REJECTED', reason: 'x' };
const before = allFields([valid, rejected].map(fieldsOfVerdict));

test('a field that is there no more is lost, and one that is null is not', () => {
  expect(lostFields(before, fieldsOfVerdict(valid))).toEqual([]);
  expect(lostFields(before, fieldsOfVerdict({ validationStatus: 'VALIDATED' }))).toEqual(['cStat (VALIDATED)']);
});

test('an added field and another kind of verdict lose nothing', () => {
  for (const now of [{ ...valid, extra: 1 }, rejected, { validationStatus: 'NEW' }])
    expect(lostFields(before, fieldsOfVerdict(now))).toEqual([]);
});

test('what is no object has no fields', () => {
  for (const none of [undefined, null, 'text', []]) expect(fieldsOfVerdict(none)).toEqual({});
});

describe('fields of a description', () => {
  test.each<[string, unknown, string[]]>([
    ['at the top', { statusDescription: 'x', status: 'y' }, ['/statusDescription']],
    ['in the data of an event', { data: { validationStatusDescription: null } }, ['/data/validationStatusDescription']],
    ['in items', { eventos: [{}, { tipoDescription: 1 }] }, ['/eventos/1/tipoDescription']],
    ['within one another', { aDescription: { bDescription: '' } }, ['/aDescription', '/aDescription/bDescription']],
    ['of no more than that name', { Description: 'x' }, ['/Description']],
    ['with names that a pointer escapes', { 'a/b~Description': 'x' }, ['/a~1b~0Description']],
  ])('are found %s', (_where, payload, pointers) => {
    expect(descriptionFields(payload)).toEqual(pointers);
  });

  test.each<[string, unknown]>([
    ['a name in other letters', { description: 'x', statusdescription: 'x' }],
    ['a name that only holds the word', { statusDescriptionCode: 1 }],
    ['a value', { xMotivo: 'statusDescription' }],
    ['no object', 'statusDescription'],
    ['null', null],
  ])('are not found in %s', (_what, payload) => {
    expect(descriptionFields(payload)).toEqual([]);
  });
});
