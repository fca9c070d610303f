import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { wordsMask } from '../trace/people/words-mask.ts';
import { profilePeople } from './profile-people.ts';

const folder = mkdtempSync(join(tmpdir(), 'people-'));
afterAll(() => rmSync(folder, { recursive: true }));

const unknown = { cnpj: '99999998000111', cpf: '40490490000', nascimento: '31121985' };
const consultas = { cnpj: '99999999000191', cpf: '03905334470', nascimento: '05031990', unknown };
const empresa = {
  cnpj: '99999991000125',
  razaoSocial: 'CANÁRIA & FILHOS LTDA',
  email: 'maria@canaria.example',
  telefoneComercial: '11988887777',
  endereco: { logradouro: 'Rua das Acácias', complemento: '', cep: '01310100', uf: 'SP', cidade: 'São Paulo' },
};
const invoice = {
  emitente: { cpfCnpj: '99999991000125' },
  comprador: {
    documento: '111.444.777-35',
    nomeCliente: 'Iracema Kowalski',
    mail: 'ira@k.example',
    foneCel: '51981234567',
  },
  natureza: 'Venda de mercadoria',
  pedido: '12345678901',
  cliente: { nome: 'NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL', cpfCnpj: '39053344705' },
};
writeFileSync(join(folder, 'consultas.json'), JSON.stringify(consultas));
writeFileSync(join(folder, 'empresa.json'), JSON.stringify(empresa));
writeFileSync(join(folder, 'nf-e.autorizada.json'), JSON.stringify(invoice));
writeFileSync(
  join(folder, 'verificacao.autorizada.xml'),
  '<n:dest><n:xNome>Zuleica Xavantes</n:xNome><CPF>52998224725</CPF><xLgr>Travessa A &amp; B</xLgr></n:dest>',
);
const mask = wordsMask(profilePeople(folder));

test.each([
  '03905334470',
  '039.053.344-70',
  '039 053 344 70',
  '039053344-70',
  '3905334470',
  '404.904.900-00',
  '390.533.447-05',
  '52998224725',
  '529.982.247-25',
])('a CPF is known however it is written: %s', (text) => {
  expect(mask(`a ${text}, b`)).toMatch(/^a \$(?:cpf|CPF|cpfCnpj), b$/);
});

test.each([
  '05031990',
  '05/03/1990',
  '5/3/1990',
  '05-03-1990',
  '05.03.1990',
  '1990-03-05',
  '19900305',
  '1990/03/05',
  '03/05/1990',
  '05/03/90',
  '5-3-90',
  '050390',
  '1990-03-05T00:00:00.000Z',
  '5 de março de 1990',
  '05 MAR 1990',
  '5 mar. 1990',

  'March 5, 1990',
  '5 March 1990',
  'Mar 5, 1990',
  'March 5th, 1990',
  '05-Mar-1990',
  '5 de marco de 1990',
  '1990-3-5',
  '636595200',
  '636595200000',
  '636606000',
  '636606000000',
  '1990-03-04T21:00:00-03:00',
  '5031990',
  '05%2F03%2F1990',
  String.raw`05\/03\/1990`,
  '05&#47;03&#47;1990',
  '31/12/1985',
])('a birth date is known however it is written: %s', (text) => {
  expect(mask(`a ${text} b`)).toMatch(/^a \$nascimento\S* b$/);
});

test.each([
  ['Canária & Filhos Ltda', '$razaoSocial'],
  ['CANARIA &AMP; FILHOS LTDA', '$razaoSocial'],
  ['Maria@Canaria.example', '$email'],
  ['rua das acacias', '$logradouro'],
  ['01310-100', '$cep'],
  ['(11) 98888-7777', '$telefoneComercial'],
  ['+55 11 98888-7777', '$telefoneComercial'],
  ['+5511988887777', '$telefoneComercial'],
  ['XAVANTES, Zuleica', '$xNome'],
  ['zuleica.xavantes', '$xNome'],
  ['Travessa A & B', '$xLgr'],
])('names, addresses and telephones are known: %s', (text, stand) => {
  expect(mask(`a ${text}; b`)).toBe(`a ${stand}; b`);
});

test.each([
  '99999991000125',
  'SP',
  'São Paulo',
  'NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL',
  '10009003',
])('what is nobody’s is not: %s', (text) => {
  expect(mask(text)).toBe(text);
});

test.each([
  '11144477735',
  '111.444.777-35',
  'IRACEMA KOWALSKI',
  'Kowalski, Iracema',
  'ira@k.example',
  '(51) 98123-4567',
])('somebody under names that nobody knows is known by what stands there: %s', (text) => {
  expect(mask(`a ${text}, b`)).toMatch(/^a \$\w+, b$/);
});

test.each(['Venda de mercadoria', '12345678901'])('what is nobody’s stays: %s', (text) => {
  expect(mask(text)).toBe(text);
});

test('a folder that can’t be read has nobody', () => {
  expect(profilePeople(join(folder, 'nowhere'))).toEqual(new Map());
});
