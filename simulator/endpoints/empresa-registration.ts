import { ownSchemas } from '../../schemas/validate.ts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FromSchema } from 'json-schema-to-ts';
import { onFirstUse } from '../../schemas/values.ts';
import { isCnpj } from '../documents/tax-numbers.ts';
import { parseJsonObject } from '../http/json.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { faultsByField, tidied } from '../issuance/content.ts';
import { capitals, form, oneOf, text, ufCode, wordsOf } from '../issuance/schema-words.ts';
import type { EmpresaData, Numbering } from '../model/empresa.ts';
import type { Refusal } from '../rules/refusal.ts';
import type { Call } from './call.ts';

/** A company in JSON has about 1 kB; parsed JSON takes many times its size in memory. */
const largestBodyBytes = 1024 * 1024;

/** Registers a company of the caller's integrator; refuses with all that is wrong with it. Section 4, endpoint 2. */
export function empresaRegistrationEndpoint(request: RequestFacts, call: Call): Reply {
  const { rules, state, caller } = call;
  if (request.rawBody.length > largestBodyBytes) return call.refuse(tooLarge);
  const body = parseJsonObject(request.rawBody);
  if (!body) return call.refuse(noObject);
  const read = readEmpresa(body, rules.empresaRegistration.isCnpj);
  if ('faults' in read) return call.refuse(...read.faults);
  const empresa = state.empresas.create(caller.integratorId, read.data);
  if (!empresa) return call.refuse(repeated(read.data.cnpj));
  const { status, empresaId, body: bodyOf } = rules.empresaRegistration;
  return { status, body: bodyOf(empresaId(empresa)) };
}

const tooLarge: Refusal = { code: 'SIM-EMPRESA-CORPO', message: 'O corpo da requisição é grande demais.' };
const noObject: Refusal = { code: 'SIM-EMPRESA-CORPO', message: 'O corpo deve ser um objeto JSON em UTF-8.' };

function repeated(cnpj: string): Refusal {
  return { code: 'SIM-EMPRESA-CNPJ-REPETIDO', message: `Este integrador já tem uma empresa com o cnpj ${cnpj}.` };
}

type EmpresaBody = FromSchema<typeof empresaSchema>;

/** The company that a registration body tells of, or all that is wrong with it: one fault for each field that is. */
export function readEmpresa(
  body: Readonly<Record<string, unknown>>,
  isNumber: (text: string) => boolean = isCnpj,
): { data: EmpresaData } | { faults: Refusal[] } {
  const isEmpresa = validator();
  const empresa = tidied(body, empresaSchema);
  if (isEmpresa(empresa) && isNumber(empresa.cnpj)) return { data: dataOf(empresa) };
  const faults = faultsByField(isEmpresa.errors, 'SIM-EMPRESA');
  const cnpj = String(body['cnpj']).trim();
  if (!faults.has('cnpj') && !isNumber(cnpj)) faults.set('cnpj', /[A-Z]/.test(cnpj) ? noDigits : wrongCheckDigits);
  return { faults: [...faults.values()] };
}

const wrongCheckDigits: Refusal = {
  code: 'SIM-EMPRESA-CNPJ-INVALIDO',
  message: 'cnpj deve ter os dígitos verificadores corretos',
};

const noDigits: Refusal = { code: 'SIM-EMPRESA-CAMPO-FORMATO', message: 'cnpj deve ter 14 dígitos' };

const validator = onFirstUse((): ValidateFunction<EmpresaBody> => {
  const ajv = new Ajv2020({ ...ownSchemas, allErrors: true, strict: true, strictTypes: false, verbose: true });
  return ajv.compile({ allOf: [empresaSchema, placeRules] });
});

function dataOf(body: EmpresaBody): EmpresaData {
  const { endereco, emissaoNFeProduto } = body;
  return {
    cnpj: body.cnpj,
    inscricaoEstadual: body.inscricaoEstadual,
    inscricaoMunicipal: body.inscricaoMunicipal ?? '',
    razaoSocial: body.razaoSocial,
    nomeFantasia: body.nomeFantasia ?? '',
    optanteSimplesNacional: body.optanteSimplesNacional ?? false,
    incentivadorCultural: body.incentivadorCultural ?? false,
    email: body.email,
    telefoneComercial: body.telefoneComercial ?? '',
    endereco: {
      pais: endereco.pais ?? 'Brasil',
      codigoIbgeUf: endereco.codigoIbgeUf,
      codigoIbgeCidade: endereco.codigoIbgeCidade,
      uf: endereco.uf,
      cidade: endereco.cidade,
      logradouro: endereco.logradouro,
      numero: endereco.numero,
      complemento: endereco.complemento ?? '',
      bairro: endereco.bairro,
      cep: endereco.cep,
    },
    emissaoNFeProduto: {
      ambienteProducao: numberingOf(emissaoNFeProduto?.ambienteProducao),
      ambienteHomologacao: numberingOf(emissaoNFeProduto?.ambienteHomologacao),
    },
  };
}

/** A series is kept as documents have it: without leading zeros. */
function numberingOf(numbering: { sequencialNFe?: number; serieNFe?: string } = {}): Numbering {
  const { sequencialNFe = 1, serieNFe = '1' } = numbering;
  return { sequencialNFe, serieNFe: String(Number(serieNFe)) };
}

const endereco = {
  type: 'object',
  required: ['codigoIbgeUf', 'codigoIbgeCidade', 'uf', 'cidade', 'logradouro', 'numero', 'bairro', 'cep'],
  properties: {
    pais: text(2, 60),
    codigoIbgeUf: { type: 'integer' },
    codigoIbgeCidade: { type: 'integer' },
    uf: oneOf(wordsOf(capitals)),
    cidade: text(2, 60),
    logradouro: text(2, 60),
    numero: text(1, 60),
    complemento: text(1, 60),
    bairro: text(2, 60),
    cep: form('^\\d{8}$', '8 dígitos'),
  },
} as const;

const numbering = {
  type: 'object',
  properties: {
    sequencialNFe: { type: 'integer', minimum: 1, maximum: 999_999_999 },
    serieNFe: form('^([0-7]?\\d{1,2}|8[0-8]\\d)$', 'um número de 0 a 889'),
  },
} as const;

/**
 * A company, in the field names that are usual among Brazilian gateways; the contract shows none of it (Section 2.7).
 * Fields that are not named here are ignored. Texts go into documents, so they are as the layout of these wants them.
 */
const empresaSchema = {
  type: 'object',
  required: ['cnpj', 'inscricaoEstadual', 'razaoSocial', 'email', 'endereco'],
  properties: {
    id: form('^$', 'valor nulo: aqui uma empresa é cadastrada, não alterada'),
    cnpj: form('^[0-9A-Z]{12}\\d{2}$', '14 dígitos'),
    inscricaoEstadual: form('^(ISENTO|\\d{2,14})$', 'de 2 a 14 dígitos, ou ISENTO'),
    inscricaoMunicipal: text(1, 15),
    razaoSocial: text(2, 60),
    nomeFantasia: text(1, 60),
    optanteSimplesNacional: { type: 'boolean' },
    incentivadorCultural: { type: 'boolean' },
    enviarEmailCliente: { type: 'boolean' },
    // No part of the pattern can match what the next one can: the time it takes grows no faster than the text.
    email: {
      ...text(3, 60),
      pattern: '^[!-?A-~]+@[!--/-?A-~]+(\\.[!--/-?A-~]+)+$',
      description: 'a forma de um endereço de e-mail',
    },
    telefoneComercial: form('^\\d{6,14}$', 'de 6 a 14 dígitos'),
    endereco,
    emissaoNFeProduto: {
      type: 'object',
      properties: { ambienteProducao: numbering, ambienteHomologacao: numbering },
    },
  },
} as const;

/** That the codes of the state and the city are those of the federative unit: it is another one, or they fit. */
const placeRules = {
  properties: {
    endereco: {
      allOf: wordsOf(capitals).map((uf) => ({
        anyOf: [{ not: { type: 'object', required: ['uf'], properties: { uf: { const: uf } } } }, codesOf(ufCode(uf))],
      })),
    },
  },
};

/** The code of a city has seven digits, the first two of them those of its state. */
function codesOf(ufCode: number): object {
  const codigoIbgeCidade = { minimum: ufCode * 100_000, maximum: ufCode * 100_000 + 99_999 };
  return { properties: { codigoIbgeUf: { enum: [ufCode] }, codigoIbgeCidade } };
}
