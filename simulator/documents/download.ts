import { nowMs } from '../clock.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Invoice } from '../model/invoice.ts';
import type { DocumentKind, Link } from '../model/link.ts';
import { notFound, refuseFor } from '../rules/refusal.ts';
import type { Service, ServiceParts } from '../service.ts';
import { documentOf } from './document.ts';

const folder = '/documentos/';
const extensions: Readonly<Record<DocumentKind, string>> = { xml: 'xml', danfe: 'pdf' };
const keptAfterDeathMs = 24 * 60 * 60 * 1000;

/** A fresh link to a document of an invoice, for as long as the rules say. Section 8. */
export function linkTo(invoice: Invoice, kind: DocumentKind, atMs: number, parts: ServiceParts): string {
  const { state, rules, publicUrl } = parts;
  const { id, appKey } = invoice;
  state.links.prune(appKey, atMs - keptAfterDeathMs);
  const expiresMs = atMs + rules.nfeQuery.linkLifetimeSeconds[kind] * 1000;
  const token = state.links.add({ invoiceId: id, kind, appKey, expiresMs });
  return `${publicUrl()}${folder}${token}.${extensions[kind]}`;
}

/** Whether a path is one of a document, which no signature guards. */
export function isDocumentPath(path: string): boolean {
  return path.startsWith(folder);
}

/** Serves the document of a link that is alive; 404 for any other. Sections 4.1 and 8. */
export async function answerDocument(request: RequestFacts, service: Service): Promise<Reply> {
  const { state, rules } = service;
  const [token = '', extension] = request.path.slice(folder.length).split('.');
  const link = livingLink(token, service);
  const invoice = link && rules.nfeQuery.servedInvoice(link, state.invoices);
  if (!invoice || extension !== extensions[link.kind] || request.method !== 'GET') {
    return refuseFor([notFound], request, rules);
  }
  return {
    status: 200,
    content: await rules.nfeQuery.document(() => documentOf(invoice, link.kind, state)),
    headers: { 'cache-control': 'no-store' },
  };
}

/** The link of that token, if it is alive by the clock of the application that was given it. */
function livingLink(token: string, { state, rules }: Service): Link | undefined {
  const link = state.links.find(token);
  const owner = link && state.applications.findByKey(link.appKey);
  return owner && rules.nfeQuery.isLinkAlive(nowMs(owner.clock), link.expiresMs) ? link : undefined;
}
