import { describe, expect, test } from 'vitest';
import { errorArray } from './error-array.ts';
import { validator } from './validate.ts';

const faultsOf = validator(errorArray);

describe('an error array', () => {
  test.each<[string, unknown]>([
    ['a code in words', [{ codigo: 'NFe0003', mensagem: 'não pode ser atualizada' }]],
    ['a number as code', [{ codigo: 42, mensagem: 'x' }]],
    [
      'several errors and further fields',
      [
        { codigo: '1', mensagem: 'x', campo: 'id' },
        { codigo: '2', mensagem: 'y' },
      ],
    ],
  ])('can have %s', (_what, body) => {
    expect(faultsOf(body)).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['no item', [], 'the body is [], but must NOT have fewer than 1 items'],
    ['one bare error', { codigo: '1', mensagem: 'x' }, 'but is to be an array'],
    ['a text as item', ['x'], '/0 is "x", but is to be an object'],
    ['no codigo', [{ mensagem: 'x' }], '/0/codigo is missing'],
    ['no mensagem in the second', [{ codigo: 1, mensagem: 'x' }, { codigo: 1 }], '/1/mensagem is missing'],
    ['a codigo that is null', [{ codigo: null, mensagem: 'x' }], '/0/codigo is null'],
    ['a blank mensagem', [{ codigo: 1, mensagem: ' ' }], '/0/mensagem is " "'],
    ['the names of the other family', [{ code: 1, message: 'x' }], '/0/codigo is missing'],
  ])('with %s is none', (_what, body, fault) => {
    expect(faultsOf(body).join('; ')).toContain(fault);
  });
});
