import { expect, test } from 'vitest';
import { member } from '../../schemas/values.ts';
import { cnpjLookupRules } from '../rules/cnpj-lookup.ts';
import { cpfLookupRules } from '../rules/cpf-lookup.ts';

const { company, isKnown, isCnpj, fails } = cnpjLookupRules;
const nowMs = Date.parse('2031-05-17T09:30:00Z');

test('a CNPJ gives the same company every time, and another gives another', async () => {
  const [one, again, other] = [
    await company('99999999000191'),
    await company('99999999000191'),
    await company('99999991000125'),
  ];
  expect(again).toEqual(one);
  expect(member(other, 'nomeEmpresarial')).not.toBe(member(one, 'nomeEmpresarial'));
});

test('two branches are one company at two addresses', async () => {
  const [seat, branch] = [await company('99999995000103'), await company('99999995900872')];
  expect(member(branch, 'nomeEmpresarial')).toBe(member(seat, 'nomeEmpresarial'));
  expect(member(branch, 'endereco')).not.toEqual(member(seat, 'endereco'));
});

test.each([
  ['99999999000191', '2', 'ATIVA'],
  ['99999995900104', '1', 'NULA'],
  ['99999995900368', '3', 'SUSPENSA'],
  ['99999995900449', '4', 'INAPTA'],
  ['99999995900872', '8', 'BAIXADA'],
])('the company %s has the situation %s, %s, since it opened or later', async (cnpj, codigo, descricao) => {
  const found = await company(cnpj);
  expect(found).toMatchObject({ situacaoCadastral: { codigo, descricao } });
  expect(String(member(found, 'situacaoCadastral', 'data')) >= String(member(found, 'dataAbertura'))).toBe(true);
});

test('the numbers that the documents name are none but for what they are named for', () => {
  for (const cnpj of ['99999995000103', '99999995050046', '99999999040495']) expect(isCnpj(cnpj)).toBe(true);
  expect(isKnown('99999999040495')).toBe(false);
  expect(isKnown('99999995000103')).toBe(true);
  expect(fails('99999995050046')).toBe(true);
  expect(cpfLookupRules.isKnown('40440440408')).toBe(false);
  expect(cpfLookupRules.fails('99999950043')).toBe(true);
});

test.each([
  ['99999999050', '0', 'REGULAR'],
  ['90290090040', '2', 'SUSPENSA'],
  ['90390090077', '3', 'TITULAR FALECIDO'],
  ['90490090001', '4', 'PENDENTE DE REGULARIZAÇÃO'],
  ['90590090020', '5', 'CANCELADA POR MULTIPLICIDADE'],
  ['90890090009', '8', 'NULA'],
  ['90990090035', '9', 'CANCELADA DE OFÍCIO'],
])('the person %s has the situation %s, %s, every time', async (cpf, codigo, descricao) => {
  const found = await cpfLookupRules.person(cpf, '15031975');
  expect(found).toMatchObject({ ni: cpf, situacao: { codigo, descricao }, nascimento: '15031975' });
  expect(await cpfLookupRules.person(cpf, '15031975')).toEqual(found);
});

test.each([
  ['17052031', true],
  ['01011850', true],
  ['29022000', true],
  ['30021999', false],
  ['29021999', false],
  ['01131999', false],
  ['19990101', false],
  ['1011999', false],
  ['18052031', false],
  ['31121849', false],
])('that %s is a birth date is %s on 17 May 2031', (text, is) => {
  expect(cpfLookupRules.isBirthDate(text, nowMs)).toBe(is);
});

test('of one person the registry has a birth date of its own', () => {
  expect(cpfLookupRules.isBornOn('99999999050', '01011980')).toBe(true);
  expect(cpfLookupRules.isBornOn('99999999050', '02011980')).toBe(false);
  expect(cpfLookupRules.isBornOn('52998224725', '02011980')).toBe(true);
});
