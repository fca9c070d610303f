import { describe, expect, test } from 'vitest';
import { codeMessage } from './code-message.ts';
import { validator } from './validate.ts';

const faultsOf = validator(codeMessage);

describe('a code with a message', () => {
  test.each<[string, unknown]>([
    ['a number as code', { code: 10015004, message: 'not found' }],
    ['a text as code', { code: '10015004', message: 'não encontrada' }],
    ['further fields', { code: 1, message: 'x', traceId: 'a' }],
  ])('can have %s', (_what, body) => {
    expect(faultsOf(body)).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['no code', { message: 'x' }, '/code is missing'],
    ['no message', { code: 1 }, '/message is missing'],
    ['a code that is null', { code: null, message: 'x' }, '/code is null'],
    ['an empty message', { code: 1, message: '' }, '/message is ""'],
    ['an array around it', [{ code: 1, message: 'x' }], 'but is to be an object'],
    [
      'a platform envelope around it',
      { success: false, errorType: 1, code: 1, message: 'x' },
      '/success is not expected there',
    ],
  ])('with %s is none', (_what, body, fault) => {
    expect(faultsOf(body).join('; ')).toContain(fault);
  });
});
