import { cancelAtAuthority } from '../authority/decisions.ts';
import { linkTo } from '../documents/download.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { DocumentKind, Invoice } from '../model/invoice.ts';
import { type Refusal, unknownEmpresa } from '../rules/refusal.ts';
import type { PathVariables } from '../rules/route.ts';
import type { Call } from './call.ts';

/** Shows an invoice of the caller's; 404 for any other. Section 4.1. */
export function nfeQueryEndpoint(_request: RequestFacts, call: Call, variables: PathVariables): Reply {
  const found = findInvoice(call, variables);
  if ('refusal' in found) return call.refuse(found.refusal);
  return { status: 200, body: invoiceObject(found.invoice, call) };
}

/** The invoice that a path names, if it is the caller's. */
export function findInvoice(
  { state, caller }: Pick<Call, 'state' | 'caller'>,
  { empresaId = '', nfeId = '' }: PathVariables,
): { readonly invoice: Invoice } | { readonly refusal: Refusal } {
  const empresa = state.empresas.find(caller.integratorId, empresaId);
  if (!empresa) return { refusal: unknownEmpresa };
  const invoice = state.invoices.find(empresa.empresaId, nfeId);
  return invoice ? { invoice } : { refusal: unknownInvoice };
}

const unknownInvoice: Refusal = {
  status: 404,
  code: 'SIM-NFE-DESCONHECIDA',
  message: 'A empresa não tem NF-e com este id.',
};

/** The invoice as its integrator sees it; besides the contract's fields those that such services usually show. */
function invoiceObject(invoice: Invoice, call: Call): object {
  const { content, settlement } = invoice;
  const record = call.state.authorityRecords.find(invoice.chave);
  const { state, hasLink } = call.rules.nfeQuery;
  const status = state(invoice, record);
  const link = (kind: DocumentKind): string => (hasLink(status, kind) ? linkTo(invoice, kind, call.nowMs, call) : '');
  return {
    id: invoice.nfeId,
    tipo: 'NF-e',
    status,
    motivoStatus: settlement?.motivo ?? '',
    ambienteEmissao: invoice.ambiente,
    dataCriacao: new Date(invoice.issuedMs).toISOString(),
    dataUltimaAlteracao: new Date(settlement?.settledMs ?? invoice.issuedMs).toISOString(),
    numero: invoice.numero,
    serie: invoice.serie,
    dataEmissao: new Date(invoice.issuedMs).toISOString(),
    chaveAcesso: invoice.chave,
    dataAutorizacao: record?.dataAutorizacao ?? '',
    protocolo: record?.protocolo ?? null,
    linkDanfe: link('danfe'),
    linkDownloadXml: link('xml'),
    cliente: content.cliente,
    itens: content.itens,
    valorTotal: content.valorTotal,
    informacoesAdicionais: content.informacoesAdicionais ?? '',
  };
}

/** Cancels an invoice of the caller's; 404 for any other, 400 for one that can't be cancelled. */
export function nfeCancellationEndpoint(_request: RequestFacts, call: Call, variables: PathVariables): Reply {
  const { rules } = call;
  const found = findInvoice(call, variables);
  if ('refusal' in found) return call.refuse(found.refusal);
  const refusal = rules.nfeCancellation.cancel(found.invoice, () => register(found.invoice, call));
  if (refusal) return call.refuse(refusal);
  return { status: rules.nfeCancellation.status, body: rules.nfeCancellation.body };
}

/** Has the authority register a cancellation, after which no verdict on the invoice holds; gives why it does not. */
function register(invoice: Invoice, call: Call): Refusal | undefined {
  const { state, nowMs } = call;
  return state.transaction(() => {
    const refusal = cancelAtAuthority(invoice, nowMs, call);
    if (!refusal) state.verifications.forgetVerdicts(invoice.chave);
    return refusal;
  });
}
