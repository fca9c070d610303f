import type { Ambiente } from '../../schemas/messages.ts';
import { nfeProc } from '../documents/nfe-xml.ts';
import { isAnyCnpj, isCpf } from '../documents/tax-numbers.ts';
import { quantityTimesPrice, scaled, totalsOf } from '../issuance/amounts.ts';
import { csosns, type InvoiceContent } from '../issuance/schema.ts';
import type { Empresa, AuthorityRecord, Decision, Invoice } from '../model.ts';
import type { Refusal } from '../rules/refusal.ts';
import type { ServiceParts } from '../service.ts';
import { isDenial, returnText } from './return-codes.ts';

/** An invoice that the tax authority is asked about. */
interface Asked {
  readonly content: InvoiceContent;
  readonly empresa: Empresa;
  readonly ambiente: Ambiente;
  /** Unix milliseconds, on the clock of the application. */
  readonly nowMs: number;
}

/** A reason for a denial. */
interface Denial {
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

const authorised = { cStat: '100', xMotivo: 'Autorizado o uso da NF-e' };
const unexplained = `999 - ${returnText('999') ?? ''}`;

/**
 * What the tax authority decides on an invoice: as the control API told it to for this application, else as the invoice
 * earns it. An authorisation is put on its record. Sections 2.3 and 3.1.
 */
export function decideIssuance(invoice: Invoice, nowMs: number, { state }: ServiceParts): Decision {
  const application = state.applications.findByKey(invoice.appKey);
  const empresa = application && state.empresas.find(application.integratorId, invoice.empresaId);
  if (!empresa) throw new Error(`the company ${invoice.empresaId} of an invoice is gone`);
  const steered = application.authority.issuance;
  if (steered?.outcome === 'Negada') return denial(nowMs, steered.motivo ?? unexplained);
  const { content, ambiente } = invoice;
  const { cStat, xMotivo } = steered ? authorised : judge({ content, empresa, ambiente, nowMs });
  if (cStat !== authorised.cStat) return denial(nowMs, `${cStat} - ${xMotivo}`);
  const numero = protocolNumber(invoice, empresa, nowMs);
  const { xml, digestValue } = nfeProc({
    empresa,
    content,
    ambiente,
    chave: invoice.chave,
    serie: invoice.serie,
    numero: invoice.numero,
    issuedAtMs: invoice.issuedMs,
    protocol: { numero, authorizedAtMs: nowMs, cStat, xMotivo },
  });
  state.authorityRecords.put(invoice.chave, recordOf(numero, digestValue, nowMs));
  return { outcome: 'Autorizada', settledMs: nowMs, motivo: '', protocolo: numero, xml };
}

function denial(settledMs: number, motivo: string): Decision {
  return { outcome: 'Negada', settledMs, motivo };
}

function recordOf(numero: string, digestValue: string, nowMs: number): AuthorityRecord {
  return {
    status: 'Autorizada',
    ...authorised,
    protocolo: { numero, digestValue },
    dataAutorizacao: new Date(nowMs).toISOString(),
    eventos: [],
  };
}

/** 15 digits: the authoriser, the state, the year, and a number of ten digits of its own. */
function protocolNumber(invoice: Invoice, { data }: Empresa, nowMs: number): string {
  const year = String(new Date(nowMs).getUTCFullYear() % 100).padStart(2, '0');
  return `1${data.endereco.codigoIbgeUf}${year}${String(invoice.id).padStart(10, '0')}`;
}

/** How long after its authorisation an invoice can be cancelled. */
const cancellableMs = 24 * 60 * 60 * 1000;

/** Has the authority register a cancellation; gives why it does not. */
export function cancelAtAuthority(invoice: Invoice, nowMs: number, { state }: ServiceParts): Refusal | undefined {
  if (!state.applications.findByKey(invoice.appKey)?.authority.isReachable) return refusedBy('108');
  const record = state.authorityRecords.find(invoice.chave);
  if (record?.status === 'Cancelada') return refusedBy('573');
  if (!record || record.status !== 'Autorizada') return refusedBy('580');
  if (nowMs - (invoice.settlement?.settledMs ?? 0) > cancellableMs) return refusedBy('501');
  state.authorityRecords.put(invoice.chave, {
    ...record,
    status: 'Cancelada',
    cStat: '101',
    xMotivo: returnText('101') ?? null,
    eventos: [...record.eventos, cancellationEvent(nowMs)],
  });
  return undefined;
}

function refusedBy(cStat: string): Refusal {
  return { code: `SIM-SEFAZ-${cStat}`, message: returnText(cStat) ?? '' };
}

/** The event as the authority keeps it: type 110111, registered and linked. */
function cancellationEvent(nowMs: number): Record<string, unknown> {
  return {
    tpEvento: '110111',
    descEvento: 'Cancelamento',
    nSeqEvento: 1,
    dhEvento: new Date(nowMs).toISOString(),
    cStat: '135',
    xMotivo: returnText('135'),
  };
}
