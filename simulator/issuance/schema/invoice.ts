import type { FromSchema } from 'json-schema-to-ts';
import { cliente } from './cliente.ts';
import { amount, form, itemAmount, oneOf, text } from './fields.ts';
import { item } from './item.ts';
import {
  finalidades,
  formasPagamento,
  modalidadesFrete,
  presencas,
  tiposOperacao,
  tiposPagamento,
  wordsOf,
} from './words.ts';

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
