import { form, oneOf, text } from '../issuance/schema/fields.ts';
import { wordsOf } from '../issuance/schema/words.ts';
import { ufCodes } from '../issuance/uf-codes.ts';

const endereco = {
  type: 'object',
  required: ['codigoIbgeUf', 'codigoIbgeCidade', 'uf', 'cidade', 'logradouro', 'numero', 'bairro', 'cep'],
  properties: {
    pais: text(2, 60),
    codigoIbgeUf: { type: 'integer' },
    codigoIbgeCidade: { type: 'integer' },
    uf: oneOf(wordsOf(ufCodes)),
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
export const empresaSchema = {
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
export const placeRules = {
  properties: {
    endereco: {
      allOf: wordsOf(ufCodes).map((uf) => ({
        anyOf: [{ not: { type: 'object', required: ['uf'], properties: { uf: { const: uf } } } }, codesOf(ufCodes[uf])],
      })),
    },
  },
};

/** The code of a city has seven digits, the first two of them those of its state. */
function codesOf(ufCode: number): object {
  const codigoIbgeCidade = { minimum: ufCode * 100_000, maximum: ufCode * 100_000 + 99_999 };
  return { properties: { codigoIbgeUf: { enum: [ufCode] }, codigoIbgeCidade } };
}
