import type { ReplyContent } from '../http/reply.ts';
import type { Invoice } from '../model/invoice.ts';
import type { DocumentKind } from '../model/link.ts';
import type { State } from '../state/state.ts';
import { renderedDanfe } from './rendered.ts';

/** The XML of an authorised invoice as it was signed, or its DANFE, rendered on demand. Section 2.3. */
export async function documentOf(invoice: Invoice, kind: DocumentKind, state: State): Promise<ReplyContent> {
  const xml = state.invoices.xmlOf(invoice.id);
  if (!xml) throw new Error('a link leads to an invoice without a document');
  if (kind === 'xml') return { type: 'application/xml', bytes: xml };
  const isCancelled = state.authorityRecords.find(invoice.chave)?.status === 'Cancelada';
  return { type: 'application/pdf', bytes: await renderedDanfe({ xml, isCancelled }) };
}
