import type { NfeResultField } from '../../schemas/nfe-result.ts';
import { linkTo } from '../documents/download.ts';
import type { ServiceParts } from '../service.ts';
import type { Invoice, Settlement } from '../model/invoice.ts';
import { queueEvent } from './queue.ts';

/** An invoice that the tax authority has decided on. */
export type SettledInvoice = Invoice & { readonly settlement: Settlement };

/** The NF-e result object: a text in every field, empty where there is no value. Section 2.3. */
export type NfeResult = Readonly<Record<NfeResultField, string>>;

/** What a callback says of an issuance. Sections 2.3 and 6. */
export interface IssuanceCallbackRules {
  /** The contract shows none. */
  readonly eventType: string;
  readonly isCalledBack: (invoice: SettledInvoice) => boolean;
  /** The body, of all its fields. */
  readonly body: (result: NfeResult, invoice: SettledInvoice) => unknown;
  readonly motivo: (invoice: SettledInvoice) => string;
  /** `link` makes a link that works for ten minutes. */
  readonly xmlLink: (invoice: SettledInvoice, link: () => string) => string;
  readonly danfeLink: (invoice: SettledInvoice, link: () => string) => string;
  /** Of Unix milliseconds. */
  readonly time: (ms: number) => string;
  readonly authorizedAt: (invoice: SettledInvoice) => number | undefined;
  readonly digestValue: (invoice: SettledInvoice) => string;
}

export const issuanceCallbackRules: IssuanceCallbackRules = {
  eventType: 'invoice.issue.completed',
  isCalledBack: () => true,
  body: (result) => result,
  motivo: ({ settlement }) => settlement.motivo,
  xmlLink: ({ settlement }, link) => (settlement.outcome === 'Autorizada' ? link() : ''),
  danfeLink: () => '',
  time: (ms) => new Date(ms).toISOString(),
  authorizedAt: ({ settlement }) => (settlement.outcome === 'Autorizada' ? settlement.settledMs : undefined),
  digestValue: () => '',
};

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
