import { nfeProc } from '../documents/nfe-xml.ts';
import type { Empresa } from '../model/empresa.ts';
import type { AuthorityRecord, Decision, Invoice } from '../model/invoice.ts';
import type { Refusal } from '../rules/refusal.ts';
import type { ServiceParts } from '../service.ts';
import { judge } from './judgement.ts';
import { returnText } from './return-codes.ts';

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
