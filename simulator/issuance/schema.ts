import type { FromSchema } from 'json-schema-to-ts';
import {
  amount,
  capitals,
  finalidades,
  form,
  formasPagamento,
  indicadoresContribuinte,
  itemAmount,
  modalidadesFrete,
  oneOf,
  percentage,
  presencas,
  text,
  tiposOperacao,
  tiposPagamento,
  wordsOf,
} from './schema-words.ts';

/** Taxation of a company outside the Simples Nacional. Tax substitution (10, 30, 70) is beyond this simulator. */
export const cstsIcms = ['00', '20', '40', '41', '50', '51', '60', '90'] as const;

/** Taxation of a company under the Simples Nacional; likewise without substitution (201 to 203). */
export const csosns = ['101', '102', '103', '300', '400', '500', '900'] as const;

/** PIS and COFINS by rate, free of them, and all else; by quantity (03) is beyond this simulator. */
export const cstsByRate = ['01', '02'] as const;
export const cstsUntaxed = ['04', '05', '06', '07', '08', '09'] as const;

export const cstsIpiTaxed = ['00', '49', '50', '99'] as const;
export const cstsIpiUntaxed = ['01', '02', '03', '04', '05', '51', '52', '53', '54', '55'] as const;

const cstsOther = '49 50 51 52 53 54 55 56 60 61 62 63 64 65 66 67 70 71 72 73 74 75 98 99'.split(' ');
const cstsContribution: readonly string[] = [...cstsByRate, ...cstsOther];
const cstsWithIcms: readonly string[] = ['00', '20', '90', '900'];

/** The fields of a tax that find a place in the invoice under these taxations alone. */
export const usedUnder: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  icms: {
    aliquota: [...cstsWithIcms, '101'],
    baseCalculo: [...cstsWithIcms, '101'],
    modalidadeBaseCalculo: cstsWithIcms,
    percentualReducaoBaseCalculo: cstsWithIcms,
  },
  pis: { porAliquota: cstsContribution },
  cofins: { porAliquota: cstsContribution },
  ipi: { porAliquota: cstsIpiTaxed },
};

const porAliquota = { type: 'object', required: ['aliquota'], properties: { aliquota: percentage } } as const;

const icms = {
  type: 'object',
  required: ['situacaoTributaria'],
  properties: {
    situacaoTributaria: oneOf([...cstsIcms, ...csosns]),
    origem: { type: 'integer', minimum: 0, maximum: 8 },
    aliquota: percentage,
    baseCalculo: itemAmount,
    modalidadeBaseCalculo: { type: 'integer', minimum: 0, maximum: 3 },
    percentualReducaoBaseCalculo: percentage,
  },
} as const;

const contribution = {
  type: 'object',
  required: ['situacaoTributaria'],
  properties: {
    situacaoTributaria: oneOf([...cstsContribution, ...cstsUntaxed]),
    porAliquota,
  },
} as const;

const ipi = {
  type: 'object',
  required: ['situacaoTributaria'],
  properties: {
    situacaoTributaria: oneOf([...cstsIpiTaxed, ...cstsIpiUntaxed]),
    codigoEnquadramento: text(1, 3),
    porAliquota,
  },
} as const;

/** IBS and CBS of the tax reform. Without rates the item carries none of them: its classification says why. */
const ibsCbs = {
  type: 'object',
  required: ['situacaoTributaria', 'classificacaoTributaria'],
  properties: {
    situacaoTributaria: form('^\\d{3}$', '3 dígitos'),
    classificacaoTributaria: form('^\\d{6}$', '6 dígitos'),
    baseCalculo: itemAmount,
    ibsUf: porAliquota,
    ibsMunicipio: porAliquota,
    cbs: porAliquota,
  },
} as const;

/** The taxes of an item. */
const impostos = {
  type: 'object',
  required: ['icms'],
  properties: {
    percentualAproximadoTributos: {
      type: 'object',
      required: ['simplificado'],
      properties: {
        simplificado: { type: 'object', required: ['percentual'], properties: { percentual: percentage } },
        fonte: text(1, 60),
      },
    },
    icms,
    pis: contribution,
    cofins: contribution,
    ipi,
    ibsCbs,
  },
} as const;

const quantity = { type: 'number', exclusiveMinimum: 0, maximum: 99_999_999_999, decimals: 4 } as const;
const unitPrice = { type: 'number', exclusiveMinimum: 0, maximum: 99_999_999_999, decimals: 10 } as const;

/** One line of an invoice. */
export const item = {
  type: 'object',
  required: ['cfop', 'codigo', 'descricao', 'ncm', 'quantidade', 'unidadeMedida', 'valorUnitario', 'impostos'],
  properties: {
    cfop: form('^[123567]\\d{3}$', '4 dígitos, o primeiro 1, 2, 3, 5, 6 ou 7'),
    codigo: text(1, 60),
    descricao: text(1, 120),
    ncm: form('^\\d{2}(\\d{6})?$', '8 dígitos, ou 2'),
    cest: form('^\\d{7}$', '7 dígitos'),
    extipi: form('^\\d{2,3}$', '2 ou 3 dígitos'),
    codigoBeneficioFiscal: form('^([!-ÿ]{8}|[!-ÿ]{10}|SEM CBENEF)$', '8 ou 10 caracteres, ou SEM CBENEF'),
    quantidade: quantity,
    unidadeMedida: text(1, 6),
    valorUnitario: unitPrice,
    quantidadeTributavel: quantity,
    unidadeMedidaTributavel: text(1, 6),
    valorTotal: itemAmount,
    descontos: itemAmount,
    informacoesAdicionais: text(1, 500),
    impostos,
  },
} as const;

/** One line of what an integrator says of an invoice. */
export type Item = FromSchema<typeof item>;

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
    uf: oneOf(wordsOf(capitals)),
    cep: form('^\\d{5}-?\\d{3}$', '8 dígitos'),
  },
} as const;

/** The recipient. Check digits are the tax authority's affair. */
const cliente = {
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

const pagamento = {
  type: 'object',
  required: ['formas'],
  properties: {
    tipo: oneOf(wordsOf(tiposPagamento)),
    formas: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: {
        type: 'object',
        required: ['tipo', 'valor'],
        properties: { tipo: oneOf(wordsOf(formasPagamento)), valor: amount, descricao: text(2, 60) },
      },
    },
    troco: amount,
  },
} as const;

/**
 * The content of an invoice, in the field names that are usual among Brazilian gateways; the contract shows none of it
 * (Section 2.7). Fields that are not named here are ignored.
 */
export const invoice = {
  type: 'object',
  required: ['naturezaOperacao', 'cliente', 'pedido', 'itens'],
  properties: {
    tipo: oneOf(['NF-e']),
    naturezaOperacao: text(1, 60),
    tipoOperacao: oneOf(wordsOf(tiposOperacao)),
    finalidade: oneOf(wordsOf(finalidades)),
    consumidorFinal: { type: 'boolean' },
    indicadorPresencaConsumidor: oneOf(wordsOf(presencas)),
    nfeReferenciada: {
      type: 'array',
      maxItems: 500,
      items: {
        type: 'object',
        required: ['chaveAcesso'],
        properties: { chaveAcesso: form('^\\d{44}$', '44 dígitos') },
      },
    },
    cliente,
    pedido: {
      type: 'object',
      required: ['pagamento'],
      properties: { presencaConsumidor: oneOf(wordsOf(presencas)), pagamento },
    },
    transporte: {
      type: 'object',
      properties: {
        frete: {
          type: 'object',
          properties: { modalidade: oneOf(wordsOf(modalidadesFrete)), valor: itemAmount },
        },
      },
    },
    itens: { type: 'array', minItems: 1, maxItems: 990, items: item },
    valorTotal: amount,
    informacoesAdicionais: text(1, 5000),
  },
} as const;

/** What an integrator says of an invoice, besides its id and environment. */
export type InvoiceContent = FromSchema<typeof invoice>;
