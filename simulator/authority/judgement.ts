import type { Ambiente } from '../../schemas/messages.ts';
import { scaled } from '../issuance/decimal.ts';
import { quantityTimesPrice } from '../issuance/item-amounts.ts';
import { csosns } from '../issuance/schema/impostos.ts';
import type { InvoiceContent } from '../issuance/schema/invoice.ts';
import { totalsOf } from '../issuance/totals.ts';
import type { Empresa } from '../model/empresa.ts';
import { isAnyCnpj, isCpf } from '../tax-numbers.ts';
import { isDenial, returnText } from './return-codes.ts';

/** An invoice that the tax authority is asked about. */
export interface Asked {
  readonly content: InvoiceContent;
  readonly empresa: Empresa;
  readonly ambiente: Ambiente;
  /** Unix milliseconds, on the clock of the application. */
  readonly nowMs: number;
}

/** A reason for a denial. */
export interface Denial {
  readonly cStat: string;
  readonly holds: (asked: Asked) => boolean;
}

/** What the authority answers to an invoice: 100, or the code and text of the first denial that holds. Section 2.3. */
export function judge(asked: Asked): { readonly cStat: string; readonly xMotivo: string } {
  const cStat = askedFor(asked.content) ?? denials.find(({ holds }) => holds(asked))?.cStat ?? '100';
  return { cStat, xMotivo: returnText(cStat) ?? '' };
}

/** Why an invoice is denied, in the order in which it is looked at. */
export const denials: readonly Denial[] = [
  { cStat: '290', holds: ({ empresa }) => !empresa.certificate },
  { cStat: '291', holds: isOutsideValidity },
  { cStat: '292', holds: ({ empresa }) => empresa.certificate?.cnpj === undefined },
  { cStat: '213', holds: ({ empresa }) => rootOf(empresa.certificate?.cnpj) !== rootOf(empresa.data.cnpj) },
  { cStat: '208', holds: ({ content: { cliente } }) => cliente.tipoPessoa === 'J' && !isAnyCnpj(cliente.cpfCnpj) },
  { cStat: '237', holds: ({ content: { cliente } }) => cliente.tipoPessoa === 'F' && !isCpf(cliente.cpfCnpj) },
  { cStat: '590', holds: ({ content, empresa }) => isSimples(empresa) && !everyTaxationIs(content, isCsosn) },
  { cStat: '591', holds: ({ content, empresa }) => !isSimples(empresa) && !everyTaxationIs(content, isCst) },
  { cStat: '629', holds: hasWrongProduct },
  { cStat: '610', holds: hasWrongTotal },
  { cStat: '865', holds: ({ content }) => paymentsCount(content) && paymentLessTotal(content) < 0n },
  { cStat: '866', holds: ({ content }) => paymentsCount(content) && paymentLessTotal(content) > 0n },
];

/** The code that the words `SIMULAR-NEGADA-<cStat>` in the additional information ask for; 999 for an unknown one. */
function askedFor({ informacoesAdicionais = '' }: InvoiceContent): string | undefined {
  const [, cStat] = /SIMULAR-NEGADA-(\d+)/.exec(informacoesAdicionais) ?? [];
  if (cStat === undefined) return undefined;
  return isDenial(cStat) ? cStat : '999';
}

function isOutsideValidity({ empresa: { certificate }, nowMs }: Asked): boolean {
  return certificate !== undefined && (nowMs < certificate.notBeforeMs || nowMs > certificate.notAfterMs);
}

/** The part of a CNPJ that a company's branches have in common. */
function rootOf(cnpj: string | undefined): string | undefined {
  return cnpj?.slice(0, 8);
}

function isSimples({ data }: Empresa): boolean {
  return data.optanteSimplesNacional;
}

function everyTaxationIs({ itens }: InvoiceContent, isRight: (situacaoTributaria: string) => boolean): boolean {
  return itens.every(({ impostos }) => isRight(impostos.icms.situacaoTributaria));
}

function isCsosn(situacaoTributaria: string): boolean {
  return csosns.some((csosn) => csosn === situacaoTributaria);
}

function isCst(situacaoTributaria: string): boolean {
  return !isCsosn(situacaoTributaria);
}

/** A product may differ from quantity times price by one hundredth, for rounding. */
function hasWrongProduct({ content: { itens } }: Asked): boolean {
  return itens.some((item) => {
    if (item.valorTotal === undefined) return false;
    const difference = scaled(item.valorTotal, 2) - quantityTimesPrice(item);
    return difference < -1n || difference > 1n;
  });
}

function hasWrongTotal({ content }: Asked): boolean {
  return content.valorTotal !== undefined && scaled(content.valorTotal, 2) !== totalsOf(content).invoice;
}

/** Whether payments count at all: they do not for adjustments, devolutions and invoices without payment. */
function paymentsCount({ finalidade, pedido }: InvoiceContent): boolean {
  const isFree = pedido.pagamento.formas.some(({ tipo }) => tipo === 'SemPagamento');
  return finalidade !== 'Ajuste' && finalidade !== 'DevolucaoMercadoria' && !isFree;
}

/** In hundredths of a real; change given back is no payment. */
function paymentLessTotal(content: InvoiceContent): bigint {
  const { formas, troco = 0 } = content.pedido.pagamento;
  const paid = formas.reduce((sum, { valor }) => sum + scaled(valor, 2), 0n);
  return paid - scaled(troco, 2) - totalsOf(content).invoice;
}
