import { describe, expect, test } from 'vitest';
import type { Certificate, EmpresaData } from '../model/empresa.ts';
import { textLike } from '../testing/matchers.ts';
import { openDatabase } from './database.ts';
import { openEmpresas, type EmpresaStore } from './empresas.ts';

const inMemory = (): EmpresaStore => openEmpresas(openDatabase(undefined));

const data: EmpresaData = {
  cnpj: '99999991000125',
  inscricaoEstadual: 'ISENTO',
  inscricaoMunicipal: '',
  razaoSocial: 'EMPRESA "FICTÍCIA" LTDA',
  nomeFantasia: 'Fictícia',
  optanteSimplesNacional: true,
  incentivadorCultural: false,
  email: 'fiscal@ficticia.example',
  telefoneComercial: '',
  endereco: {
    pais: 'Brasil',
    codigoIbgeUf: 35,
    codigoIbgeCidade: 3550308,
    uf: 'SP',
    cidade: 'São Paulo',
    logradouro: 'Rua dos Testes',
    numero: '1',
    complemento: '',
    bairro: 'Bairro',
    cep: '01000000',
  },
  emissaoNFeProduto: {
    ambienteProducao: { sequencialNFe: 1, serieNFe: '1' },
    ambienteHomologacao: { sequencialNFe: 7, serieNFe: '889' },
  },
};

const certificate: Certificate = {
  commonName: 'EMPRESA FICTÍCIA LTDA:99999991000125',
  cnpj: '99999991000125',
  notBeforeMs: 1735689600000,
  notAfterMs: 2682374400000,
  certificatePem: '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n',
  privateKeyPem: '-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n',
};

const aGuid = textLike(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/);

describe('companies', () => {
  test('one is kept as it was told, under a GUID in upper case', () => {
    const empresas = inMemory();
    const created = empresas.create('I1', data);
    expect(created).toEqual({ empresaId: aGuid, integratorId: 'I1', data });
    expect(empresas.find('I1', created?.empresaId ?? '')).toEqual(created);
  });

  test('an integrator has one company of a CNPJ', () => {
    const empresas = inMemory();
    const first = empresas.create('I1', data);
    expect(empresas.create('I1', { ...data, razaoSocial: 'Outra' })).toBeUndefined();
    expect(empresas.find('I1', first?.empresaId ?? '')).toEqual(first);
  });

  test('an integrator has companies of different CNPJs', () => {
    const empresas = inMemory();
    const ids = [data, { ...data, cnpj: '99999992000170' }].map((one) => empresas.create('I1', one)?.empresaId);
    expect(ids).toEqual([aGuid, aGuid]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  test('two integrators may have the same company, each under an id of its own', () => {
    const empresas = inMemory();
    const [one, other] = [empresas.create('I1', data), empresas.create('I2', data)];
    expect(other).toEqual({ empresaId: aGuid, integratorId: 'I2', data });
    expect(empresas.find('I1', other?.empresaId ?? '')).toBeUndefined();
    expect(empresas.find('I2', one?.empresaId ?? '')).toBeUndefined();
  });

  test('one that nobody registered is not found', () => {
    expect(inMemory().find('I1', '4AB25DF9-C46A-4D53-94E2-6193AE550100')).toBeUndefined();
  });
});

describe('certificates', () => {
  test('a company has none until one is associated; a later one takes its place', () => {
    const empresas = inMemory();
    const created = empresas.create('I1', data);
    const empresaId = created?.empresaId ?? '';
    const other = { ...certificate, commonName: 'Other' };
    empresas.associate(empresaId, other);
    expect(empresas.find('I1', empresaId)).toEqual({ ...created, certificate: other });
    empresas.associate(empresaId, certificate);
    expect(empresas.find('I1', empresaId)).toEqual({ ...created, certificate });
  });

  test('one is associated with its company only', () => {
    const empresas = inMemory();
    const [one, other] = [empresas.create('I1', data), empresas.create('I2', data)];
    empresas.associate(one?.empresaId ?? '', certificate);
    expect(empresas.find('I2', other?.empresaId ?? '')).toEqual(other);
  });
});
