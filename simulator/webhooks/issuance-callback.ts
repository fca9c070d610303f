import { linkTo } from '../documents/download.ts';
import type { Invoice } from '../model/invoice.ts';
import type { NfeResult, SettledInvoice } from '../rules/issuance-callback.ts';
import type { ServiceParts } from '../service.ts';
import { queueEvent } from './queue.ts';

/** Tells the application that issued an invoice how it ended. To be called in a transaction. */
export function queueIssuanceCallback(invoice: Invoice, parts: ServiceParts): void {
  const { settlement } = invoice;
  if (!settlement) throw new Error(`the invoice ${invoice.id} is called back before it is settled`);
  const settled = { ...invoice, settlement };
  const { eventType, isCalledBack, body } = parts.rules.issuanceCallback;
  if (!isCalledBack(settled)) return;
  queueEvent('issuance', { appKey: invoice.appKey, eventType, createdMs: settlement.settledMs }, parts, () =>
    body(resultOf(settled, parts), settled),
  );
}

function resultOf(invoice: SettledInvoice, parts: ServiceParts): NfeResult {
  const { motivo, xmlLink, danfeLink, time, authorizedAt, digestValue } = parts.rules.issuanceCallback;
  const { settlement } = invoice;
  const authorizedMs = authorizedAt(invoice);
  const link = (kind: 'xml' | 'danfe') => () => linkTo(invoice, kind, settlement.settledMs, parts);
  return {
    tipo: 'NF-e',
    empresaId: invoice.empresaId,
    nfeId: invoice.nfeId,
    nfeStatus: settlement.outcome,
    nfeMotivoStatus: motivo(invoice),
    nfeLinkDanfe: danfeLink(invoice, link('danfe')),
    nfeLinkXml: xmlLink(invoice, link('xml')),
    nfeNumero: String(invoice.numero),
    nfeSerie: String(invoice.serie),
    nfeChaveAcesso: invoice.chave,
    nfeDataEmissao: time(invoice.issuedMs),
    nfeDataAutorizacao: authorizedMs === undefined ? '' : time(authorizedMs),
    nfeNumeroProtocolo: settlement.protocolo ?? '',
    nfeDigestValue: digestValue(invoice),
  };
}
