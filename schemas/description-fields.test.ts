import { describe, expect, test } from 'vitest';
import { descriptionFields } from './description-fields.ts';

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
