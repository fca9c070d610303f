import { expect, test } from 'vitest';
import { registration } from './registration.ts';
import { validator } from './validate.ts';

const faultsOf = validator(registration);

test('a registration has an empresaId, whatever else it has', () => {
  expect(faultsOf({ empresaId: 'e1' })).toEqual([]);
  expect(faultsOf({ empresaId: '0B5A-11', status: 'ativa' })).toEqual([]);
});

test.each<[unknown, string]>([
  [{}, '/empresaId is missing'],
  [{ empresaId: '' }, '/empresaId is ""'],
  [{ empresaId: 7 }, '/empresaId is 7, but is to be a string'],
  [{ empresaId: null }, '/empresaId is null, but is to be a string'],
  [{ data: { empresaId: 'e1' } }, '/empresaId is missing'],
  [[{ empresaId: 'e1' }], 'but is to be an object'],
  ['e1', 'the body is "e1", but is to be an object'],
])('%j is no registration', (body, fault) => {
  expect(faultsOf(body).join('; ')).toContain(fault);
});
