import { expect, test } from 'vitest';
import { endpoints } from '../../contract/endpoints.ts';
import { notFound, type Refusal, refuseFor, unknownEmpresa } from './refusal.ts';
import { referenceRules } from './rules.ts';

const repeated: Refusal = { code: 'SIM-X', message: { zh: '重复', en: 'Repeated', pt: 'Repetido', es: 'Repetido ya' } };
const asked = { method: 'POST', path: '/openapi/v1/webhooks', headers: { language: 'en' } };
const lookup = { ...asked, method: 'GET', path: '/openapi/v3/consultas/cnpj/1' };

test.each(endpoints)('a refusal of $name has the shape of its family', ({ method, path, errors }) => {
  const { body } = refuseFor([repeated], { method, path, headers: {} }, referenceRules);
  const shapes = {
    'code-message': { code: 'SIM-X', message: 'Repetido' },
    'codigo-mensagem-array': [{ codigo: 'SIM-X', mensagem: 'Repetido' }],
  };
  expect(body).toEqual(shapes[errors]);
});

test('what is at no endpoint is refused with code and message', () => {
  const reply = refuseFor([notFound], { ...asked, path: '/documentos/x.xml' }, referenceRules);
  expect(reply).toEqual({ status: 404, body: { code: 'SIM-NOT-FOUND', message: 'Not found' } });
});

test('an array tells all reasons, in the language that was asked for where they have it', () => {
  const reply = refuseFor([repeated, unknownEmpresa], asked, referenceRules);
  const known = { codigo: unknownEmpresa.code, mensagem: unknownEmpresa.message };
  expect(reply).toEqual({ status: 400, body: [{ codigo: 'SIM-X', mensagem: 'Repeated' }, known] });
});

test('the first of several reasons decides on the status, and is the one that is told alone', () => {
  const reply = refuseFor([unknownEmpresa, repeated], lookup, referenceRules);
  expect(reply).toEqual({ status: 404, body: { code: unknownEmpresa.code, message: unknownEmpresa.message } });
});

test('a refusal without a reason is a mistake of ours', () => {
  expect(() => refuseFor([], lookup, referenceRules)).toThrow('without a reason');
});
