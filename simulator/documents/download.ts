import type { Reply, ReplyContent } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { nowMs, type DocumentKind, type Invoice, type Link } from '../model.ts';
import { notFound, refuseFor } from '../rules/refusal.ts';
import type { Service, ServiceParts } from '../service.ts';
import type { State } from '../state/state.ts';
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Drawn, Order } from './danfe-worker.ts';
import type { DanfeInput } from './danfe.ts';

const folder = '/documentos/';
const extensions: Readonly<Record<DocumentKind, string>> = { xml: 'xml', danfe: 'pdf' };

/** A fresh link to a document of an invoice, for as long as the rules say. Section 8. */
export function linkTo(invoice: Invoice, kind: DocumentKind, atMs: number, parts: ServiceParts): string {
  const { state, rules, publicUrl } = parts;
  const expiresMs = atMs + rules.nfeQuery.linkLifetimeSeconds[kind] * 1000;
  const token = state.links.of({ invoiceId: invoice.id, kind, expiresMs });
  return `${publicUrl()}${folder}${token}.${extensions[kind]}`;
}

/** Whether a path is one of a document, which no signature guards. */
export function isDocumentPath(path: string): boolean {
  return path.startsWith(folder);
}

/** Serves the document of a link that is alive; 404 for any other. Sections 4.1 and 8. */
export async function answerDocument(request: RequestFacts, service: Service): Promise<Reply> {
  const { state, rules } = service;
  const name = request.path.slice(folder.length);
  const dot = name.lastIndexOf('.');
  const [token, extension] = [name.slice(0, dot), name.slice(dot + 1)];
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

/** The link of that token, if it is alive by the clock of the application that issued its invoice. */
function livingLink(token: string, { state, rules }: Service): Link | undefined {
  const link = state.links.read(token);
  const invoice = link && state.invoices.byId(link.invoiceId);
  const owner = invoice && state.applications.findByKey(invoice.appKey);
  return owner && rules.nfeQuery.isLinkAlive(nowMs(owner.clock), link.expiresMs) ? link : undefined;
}

/** The XML of an authorised invoice as it was signed, or its DANFE, rendered on demand. Section 2.3. */
async function documentOf(invoice: Invoice, kind: DocumentKind, state: State): Promise<ReplyContent> {
  const xml = state.invoices.xmlOf(invoice.id);
  if (!xml) throw new Error('a link leads to an invoice without a document');
  if (kind === 'xml') return { type: 'application/xml', bytes: xml };
  const isCancelled = state.authorityRecords.find(invoice.chave)?.status === 'Cancelada';
  return { type: 'application/pdf', bytes: await renderedDanfe({ xml, isCancelled }) };
}

/** DANFEs that were rendered last, by what they are drawn from: of many who ask for one at a time it is drawn for the first. */
const rendered = new Map<string, Promise<Buffer>>();
const mostKept = 50;

/** The DANFE of an invoice, drawn once while it is asked for again and again. */
export function renderedDanfe(input: DanfeInput): Promise<Buffer> {
  const key = `${createHash('sha256').update(input.xml).digest('base64')} ${input.isCancelled}`;
  const danfe = rendered.get(key) ?? drawn(input);
  rendered.delete(key);
  rendered.set(key, danfe);
  danfe.catch(() => rendered.delete(key));
  const [oldest] = rendered.keys();
  if (rendered.size > mostKept && oldest !== undefined) rendered.delete(oldest);
  return danfe;
}

interface Waiting {
  readonly resolve: (pdf: Buffer) => void;
  readonly reject: (error: unknown) => void;
}

/** The thread that draws; there is none until the first DANFE is asked for. */
let thread: { readonly worker: Worker; readonly waiting: Map<number, Waiting> } | undefined;
let orders = 0;

/** Draws a DANFE in a thread of its own, one after the other: it takes tens of milliseconds, in which others are answered. */
export function drawn({ xml, isCancelled }: DanfeInput): Promise<Buffer> {
  const { worker, waiting } = (thread ??= begun());
  const number = (orders += 1);
  return new Promise((resolve, reject) => {
    waiting.set(number, { resolve, reject });
    worker.ref();
    worker.postMessage({ number, xml, isCancelled } satisfies Order);
  });
}

function begun(): NonNullable<typeof thread> {
  // The flags of this process are for this process. What a drawing leaves behind is collected early: it would take 64 MiB else.
  const resourceLimits = { maxYoungGenerationSizeMb: 16 };
  const worker = new Worker(new URL('danfe-worker.ts', import.meta.url), { execArgv: [], resourceLimits });
  const waiting = new Map<number, Waiting>();
  worker.on('message', (answer: Drawn) => {
    const asker = waiting.get(answer.number);
    waiting.delete(answer.number);
    // Nothing keeps the process from ending while nobody waits.
    if (waiting.size === 0) worker.unref();
    if ('pdf' in answer) asker?.resolve(Buffer.from(answer.pdf.buffer, answer.pdf.byteOffset, answer.pdf.byteLength));
    else asker?.reject(answer.error);
  });
  const end = (error: unknown): void => {
    if (thread?.worker === worker) thread = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('error', end);
  worker.on('exit', () => end(new Error('the thread that draws DANFEs has ended')));
  return { worker, waiting };
}
