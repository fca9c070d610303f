import { nfeProc } from '../documents/nfe-xml.ts';
import type { AuthorityRecord } from '../model/authority-record.ts';
import type { Empresa } from '../model/empresa.ts';
import type { Decision, Invoice } from '../model/invoice.ts';
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
