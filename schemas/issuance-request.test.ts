import { expect, test } from 'vitest';
import { issuanceRequest } from './issuance-request.ts';
import { validator } from './validate.ts';

const faultsOf = validator(issuanceRequest);

test.each(['Producao', 'Homologacao'])('an issuance request names its id and the environment %s', (ambienteEmissao) => {
  expect(faultsOf({ id: '1', ambienteEmissao, itens: [] })).toEqual([]);
});

test.each<[unknown, string]>([
  [{ ambienteEmissao: 'Homologacao' }, '/id is missing'],
  [{ id: '1' }, '/ambienteEmissao is missing'],
  [{ id: '', ambienteEmissao: 'Homologacao' }, '/id is ""'],
  [{ id: 1, ambienteEmissao: 'Homologacao' }, '/id is 1, but is to be a string'],
  [{ id: '1', ambienteEmissao: 'homologacao' }, '/ambienteEmissao is "homologacao", but is to be one of'],
  [{ id: '1', ambienteEmissao: 'Homologação' }, '/ambienteEmissao is "Homologação", but is to be one of'],
  [{ id: '1', ambienteEmissao: 2 }, '/ambienteEmissao is 2, but is to be one of'],
])('%j is no issuance request', (body, fault) => {
  expect(faultsOf(body).join('; ')).toContain(fault);
});
