import { form, itemAmount, oneOf, percentage, text } from './fields.ts';

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
export const impostos = {
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
