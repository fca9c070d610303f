import type { ReplyContent } from '../http/reply.ts';
import type { AuthorityRecord, DocumentKind, Invoice, Link } from '../model.ts';

/** The invoices that links lead to. */
interface LinkedInvoices {
  byId(id: number): Invoice | undefined;
}

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
  readonly servedInvoice: (link: Link, invoices: LinkedInvoices) => Invoice | undefined;
  /** What a link serves; `make` makes the document that it leads to. */
  readonly document: (make: () => Promise<ReplyContent>) => Promise<ReplyContent>;
}

export const nfeQueryRules: NfeQueryRules = {
  state({ settlement }, record) {
    if (!settlement) return 'AguardandoAutorizacao';
    return record?.status === 'Cancelada' ? 'Cancelada' : settlement.outcome;
  },
  hasLink: (state, kind) => state === 'Autorizada' || (state === 'Cancelada' && kind === 'xml'),
  linkLifetimeSeconds: { xml: 600, danfe: 600 },
  isLinkAlive: (nowMs, expiresMs) => nowMs <= expiresMs,
  servedInvoice: ({ invoiceId }, invoices) => invoices.byId(invoiceId),
  document: (make) => make(),
};
