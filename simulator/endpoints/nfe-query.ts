import { documentOf } from '../documents/document.ts';
import { linkTo } from '../documents/download.ts';
import type { Context } from '../gateway/stage.ts';
import type { PathVariables } from '../http/path.ts';
import type { Content, Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { AuthorityRecord } from '../model/authority-record.ts';
import type { Invoice } from '../model/invoice.ts';
import type { DocumentKind, Link } from '../model/link.ts';
import type { State } from '../state/state.ts';
import { refuseFaults, unknownEmpresa, type Fault } from './faults.ts';

/** What a query tells of an invoice, and how long its links live. Sections 3.1, 4.1 and 8. */
export interface NfeQueryRules {
  /** Its state, by what was decided and what the authority has on record now. */
  readonly state: (invoice: Invoice, record: AuthorityRecord | undefined) => string;
  /** Whether an invoice in that state has a link to that document. */
  readonly hasLink: (state: string, kind: DocumentKind) => boolean;
  readonly linkLifetimeSeconds: Readonly<Record<DocumentKind, number>>;
  /** Unix milliseconds. */
  readonly isLinkAlive: (nowMs: number, expiresMs: number) => boolean;
  /** The invoice whose document a link serves. */
  readonly servedInvoice: (link: Link, state: State) => Invoice | undefined;
  readonly document: (invoice: Invoice, kind: DocumentKind, state: State) => Promise<Content>;
}

export const nfeQueryRules: NfeQueryRules = {
  state({ settlement }, record) {
    if (!settlement) return 'AguardandoAutorizacao';
    return record?.status === 'Cancelada' ? 'Cancelada' : settlement.outcome;
  },
  hasLink: (state, kind) => state === 'Autorizada' || (state === 'Cancelada' && kind === 'xml'),
  linkLifetimeSeconds: { xml: 600, danfe: 600 },
  isLinkAlive: (nowMs, expiresMs) => nowMs <= expiresMs,
  servedInvoice: ({ invoiceId }, state) => state.invoices.byId(invoiceId),
  document: documentOf,
};

/** Shows an invoice of the caller's; 404 for any other. Section 4.1. */
export function nfeQueryEndpoint(_request: RequestFacts, context: Context, variables: PathVariables): Reply {
  const found = findInvoice(context, variables);
  if ('fault' in found) return refuseFaults([found.fault], context.rules.faults, 404);
  return { status: 200, body: invoiceObject(found.invoice, context) };
}

/** The invoice that a path names, if it is the caller's. */
export function findInvoice(
  { state, application }: Context,
  { empresaId = '', nfeId = '' }: PathVariables,
): { readonly invoice: Invoice } | { readonly fault: Fault } {
  const empresa = application && state.empresas.find(application.integratorId, empresaId);
  if (!empresa) return { fault: unknownEmpresa };
  const invoice = state.invoices.find(empresa.empresaId, nfeId);
  return invoice ? { invoice } : { fault: unknownInvoice };
}

const unknownInvoice: Fault = { codigo: 'SIM-NFE-DESCONHECIDA', mensagem: 'A empresa não tem NF-e com este id.' };

/** The invoice as its integrator sees it; besides the contract's fields those that such services usually show. */
function invoiceObject(invoice: Invoice, context: Context): object {
  const { content, settlement } = invoice;
  const record = context.state.authorityRecords.find(invoice.chave);
  const { state, hasLink } = context.rules.nfeQuery;
  const status = state(invoice, record);
  const link = (kind: DocumentKind): string =>
    hasLink(status, kind) ? linkTo(invoice, kind, context.nowMs, context) : '';
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
