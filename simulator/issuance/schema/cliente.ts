import { ufCodes } from '../uf-codes.ts';
import { form, oneOf, text } from './fields.ts';
import { indicadoresContribuinte, wordsOf } from './words.ts';

const endereco = {
  type: 'object',
  required: ['logradouro', 'numero', 'bairro', 'cidade', 'uf'],
  properties: {
    logradouro: text(2, 60),
    numero: text(1, 60),
    complemento: text(1, 60),
    bairro: text(2, 60),
    cidade: text(2, 60),
    codigoIbgeCidade: { type: 'integer', minimum: 1_000_000, maximum: 9_999_999 },
    uf: oneOf(wordsOf(ufCodes)),
    cep: form('^\\d{5}-?\\d{3}$', '8 dígitos'),
  },
} as const;

/** The recipient. Check digits are the tax authority's affair. */
export const cliente = {
  type: 'object',
  required: ['tipoPessoa', 'cpfCnpj', 'nome', 'endereco'],
  properties: {
    tipoPessoa: oneOf(['F', 'J']),
    cpfCnpj: form('^(\\d{11}|[0-9A-Z]{12}\\d{2})$', '11 dígitos (CPF) ou 14 (CNPJ)'),
    nome: text(2, 60),
    indicadorContribuinteICMS: oneOf(wordsOf(indicadoresContribuinte)),
    inscricaoEstadual: form('^(ISENTO|\\d{2,14})$', 'de 2 a 14 dígitos, ou ISENTO'),
    inscricaoMunicipal: text(1, 15),
    email: { ...text(3, 60), pattern: '^[!-?A-ÿ]+@[!-?A-ÿ]+$', description: 'a forma de um endereço de e-mail' },
    telefone: text(1, 30),
    endereco,
  },
} as const;

/** That a person has a CPF and a company a CNPJ: `tipoPessoa` is another, or the number fits. */
export const clienteRules = {
  allOf: [
    numberOf('F', '^\\d{11}$', '11 dígitos para tipoPessoa F'),
    numberOf('J', '^[0-9A-Z]{12}\\d{2}$', '14 dígitos para tipoPessoa J'),
  ],
};

function numberOf(tipoPessoa: string, pattern: string, description: string): object {
  const isOther = { not: { required: ['tipoPessoa'], properties: { tipoPessoa: { const: tipoPessoa } } } };
  return { anyOf: [isOther, { properties: { cpfCnpj: form(pattern, description) } }] };
}
