import { nfeStates, nfeOutcomes } from '../contract/values.ts';
import { httpUrl, chave, chaveOrEmpty, emptyText, filledText, text, utcTime, utcTimeOrEmpty } from './texts.ts';

/** The invoice object that a query answers with: what holds in every state. Sections 3.1 and 4.1. */
export const invoice = {
  $id: 'invoice',
  type: 'object',
  required: ['status'],
  properties: { status: { enum: nfeStates } },
} as const;

/** An authorised invoice: its DANFE can be fetched. */
export const authorisedInvoice = {
  $id: 'authorised-invoice',
  type: 'object',
  required: ['status', 'linkDanfe'],
  properties: { status: { const: 'Autorizada' }, linkDanfe: httpUrl },
} as const;

/** An invoice in any other state: there is no DANFE, so its link is absent, null or empty. */
export const unauthorisedInvoice = {
  $id: 'unauthorised-invoice',
  type: 'object',
  required: ['status'],
  properties: {
    status: { enum: ['AguardandoAutorizacao', 'Negada', 'Cancelada'] },
    linkDanfe: { enum: [null, ''] },
  },
} as const;

/** The first number of three or four digits, and words behind it. No part can match where another one can. */
const codeFirst = String.raw`^\D*(?:(?:\d{1,2}|\d{5,})\D+)*\d{3,4}(?:\D[\s\S]*)?[A-Za-zÀ-ÿ]{2}`;
/** The first word, and such a number behind it. */
const wordsFirst = String.raw`^(?:[A-Za-zÀ-ÿ]?[^A-Za-zÀ-ÿ])*[A-Za-zÀ-ÿ]{2}(?:[\s\S]*\D)?\d{3,4}(?:\D|$)`;

/** Status code of the tax authority, of three or four digits, and words, in any order and punctuation. */
const denialReason = {
  type: 'string',
  pattern: `${codeFirst}|${wordsFirst}`,
  title: 'a status code of three or four digits and its description',
} as const;

/** The fields of an issuance callback, in the order of the contract; all of them are always there. Section 2.3. */
export const nfeResultFields = [
  'tipo',
  'empresaId',
  'nfeId',
  'nfeStatus',
  'nfeMotivoStatus',
  'nfeLinkDanfe',
  'nfeLinkXml',
  'nfeNumero',
  'nfeSerie',
  'nfeChaveAcesso',
  'nfeDataEmissao',
  'nfeDataAutorizacao',
  'nfeNumeroProtocolo',
  'nfeDigestValue',
] as const;

export type NfeResultField = (typeof nfeResultFields)[number];

/** Body of an issuance callback: what holds whichever of the two outcomes it reports. Section 2.3. */
export const baseResult = {
  $id: 'nfe-result',
  type: 'object',
  required: nfeResultFields,
  properties: {
    tipo: { const: 'NF-e' },
    empresaId: filledText,
    nfeId: filledText,
    nfeLinkDanfe: emptyText,
    nfeDigestValue: text,
    nfeStatus: { enum: nfeOutcomes },
    nfeMotivoStatus: text,
    nfeLinkXml: text,
    nfeNumero: text,
    nfeSerie: text,
    nfeChaveAcesso: chaveOrEmpty,
    nfeDataEmissao: utcTimeOrEmpty,
    nfeDataAutorizacao: text,
    nfeNumeroProtocolo: text,
  },
} as const;

/** Body of an issuance callback that reports an authorisation. Section 2.3. */
export const authorisedResult = {
  ...baseResult,
  $id: 'authorised-nfe-result',
  properties: {
    ...baseResult.properties,
    nfeStatus: { const: 'Autorizada' },
    nfeMotivoStatus: emptyText,
    nfeLinkXml: httpUrl,
    nfeNumero: filledText,
    nfeSerie: filledText,
    nfeChaveAcesso: chave,
    nfeDataEmissao: utcTime,
    nfeDataAutorizacao: filledText,
    nfeNumeroProtocolo: filledText,
  },
} as const;

/** Body of an issuance callback that reports a denial: what had been given before it may be there. Section 2.3. */
export const deniedResult = {
  ...baseResult,
  $id: 'denied-nfe-result',
  properties: {
    ...baseResult.properties,
    nfeStatus: { const: 'Negada' },
    nfeMotivoStatus: denialReason,
    nfeLinkXml: emptyText,
    nfeDataAutorizacao: emptyText,
    nfeNumeroProtocolo: emptyText,
  },
} as const;

/** That no signature digest is filled in: the contract says only that none is provided at present. Section 2.3. */
export const withoutDigest = {
  $id: 'nfe-result-without-digest',
  type: 'object',
  properties: { nfeDigestValue: emptyText },
} as const;
