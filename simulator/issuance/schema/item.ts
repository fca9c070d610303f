import type { FromSchema } from 'json-schema-to-ts';
import { form, itemAmount, text } from './fields.ts';
import { impostos } from './impostos.ts';

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
