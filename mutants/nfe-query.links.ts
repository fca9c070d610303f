import type { ClauseId } from '../contract/catalogue.ts';
import { member } from '../schemas/values.ts';
import type { Invoice } from '../simulator/model.ts';
import type { Reply, ReplyContent } from '../simulator/http/reply.ts';
import { nfeQueryRules } from '../simulator/rules/nfe-query.ts';
import { findRoute } from '../simulator/rules/route.ts';
import {
  ruleMutants,
  endpointMutants,
  type EndpointChange,
  type Mutant,
  withMembers,
  also,
  firstOf,
} from './mutant.ts';

const ruled = ruleMutants('nfe-query', 'nfeQuery');
const { changed, replied } = endpointMutants('nfe-query');

const { hasLink } = nfeQueryRules;

/** The link to a document stands where the reference has none. */
function danfeAlsoWhen(which: string): Partial<typeof nfeQueryRules> {
  return { hasLink: (found, kind) => found === which || hasLink(found, kind) };
}

/** An invoice object whose links lead to the machine that it was made at, as seen from there. */
function linkedElsewhere(reply: Reply): Reply {
  const of = (name: string): unknown => {
    const link = member(reply.body, name);
    return typeof link === 'string' ? link.replace(/^http:\/\/[^/]+/, 'http://localhost:1') : link;
  };
  return withMembers(reply, { linkDownloadXml: of('linkDownloadXml'), linkDanfe: of('linkDanfe') });
}

/** A link serves a document once. */
export function servedOnce(): Partial<typeof nfeQueryRules> {
  const served = new Set<object | string>();
  return {
    servedInvoice: (link, invoices) => {
      const key = JSON.stringify(link);
      if (served.has(key)) return undefined;
      served.add(key);
      return nfeQueryRules.servedInvoice(link, invoices);
    },
  };
}

/** The link to the DANFE of an invoice of the other environment stands where the reference has none. */
function danfeInProducao(what: string, clause: ClauseId, status: string): Mutant {
  return replied(what, [clause], (reply) => {
    const isSo = member(reply.body, 'status') === status && member(reply.body, 'ambienteEmissao') === 'Producao';
    return isSo ? withMembers(reply, { linkDanfe: 'https://danfe.example/x' }) : reply;
  });
}

/** A query makes an end of the links that were followed before it. */
function endedByTheNextQuery(): Mutant {
  const [followed, ended] = [new Set<string>(), new Set<string>()];
  const query = changed(
    'links-ended-by-the-next-query',
    ['nfe-query.xml-link-alive', 'nfe-query.danfe-link-alive'],
    (request, context, answer) => {
      const { nfeId = '' } = findRoute(request.method, request.path)?.variables ?? {};
      if (followed.has(nfeId)) ended.add(nfeId);
      return answer(request, context);
    },
  );
  return also(query, 'nfeQuery', {
    servedInvoice(link, invoices) {
      const invoice = nfeQueryRules.servedInvoice(link, invoices);
      if (!invoice || ended.has(invoice.nfeId)) return undefined;
      followed.add(invoice.nfeId);
      return invoice;
    },
  });
}

/** The links that a cancelled invoice still gives lead nowhere. */
function deadOnceCancelled(): Mutant {
  const cancelled = new Set<string>();
  const query = replied('xml-link-dead-once-cancelled', ['nfe-query.xml-link-alive'], (reply) => {
    if (member(reply.body, 'status') === 'Cancelada') cancelled.add(String(member(reply.body, 'id')));
    return reply;
  });
  return also(query, 'nfeQuery', {
    servedInvoice(link, invoices) {
      const invoice = nfeQueryRules.servedInvoice(link, invoices);
      return invoice && cancelled.has(invoice.nfeId) ? undefined : invoice;
    },
  });
}

/** A link is dead once a newer one to the same document was followed. */
function endedByANewerOne(): Partial<typeof nfeQueryRules> {
  const newest = new Map<string, number>();
  return {
    servedInvoice(link, invoices) {
      const invoice = nfeQueryRules.servedInvoice(link, invoices);
      const document = `${link.kind} ${invoice?.chave}`;
      if ((newest.get(document) ?? 0) > link.expiresMs) return undefined;
      newest.set(document, link.expiresMs);
      return invoice;
    },
  };
}

/** Tells the links of the first query for ever, though they die. */
function toldOnce(): Mutant {
  const first = firstOf<object>();
  return changed(
    'links-of-the-first-query',
    ['nfe-query.xml-link-alive', 'nfe-query.danfe-link-alive'],
    async (request, context, answer) => {
      const reply = await answer(request, context);
      const [linkDanfe, linkDownloadXml] = ['linkDanfe', 'linkDownloadXml'].map((link) => member(reply.body, link));
      return linkDanfe ? withMembers(reply, first(request.path, { linkDanfe, linkDownloadXml })) : reply;
    },
  );
}

/** A link lives for ten minutes more whenever somebody follows it, as what is cached in many frameworks does. */
function renewedByUse(): Partial<typeof nfeQueryRules> {
  const lastUsed = new Map<number, number>();
  return {
    isLinkAlive(nowMs, expiresMs) {
      const isAlive = nowMs <= Math.max(expiresMs, (lastUsed.get(expiresMs) ?? -Infinity) + 600_000);
      if (isAlive) lastUsed.set(expiresMs, nowMs);
      return isAlive;
    },
  };
}

/** Every link serves the invoice that was served first. */
function alwaysTheFirst(): Partial<typeof nfeQueryRules> {
  let first: Invoice | undefined;
  return { servedInvoice: (link, invoices) => (first ??= nfeQueryRules.servedInvoice(link, invoices)) };
}

/** Documents are kept under the id of their invoice, whichever company it is of. */
function byTheIdAlone(): Partial<typeof nfeQueryRules> {
  const first = firstOf<Invoice>();
  return {
    servedInvoice(link, invoices) {
      const own = nfeQueryRules.servedInvoice(link, invoices);
      return own && first(own.nfeId, own);
    },
  };
}

/** A link's address is made of the id alone: invoices of one id in two companies have one. */
function addressedByTheIdAlone(): EndpointChange {
  const first = firstOf<unknown>();
  return async (request, context, answer) => {
    const reply = await answer(request, context);
    const link = member(reply.body, 'linkDownloadXml');
    if (typeof link !== 'string' || link === '') return reply;
    const name = `${context.application?.appKey} ${request.path.split('/').at(-1)}`;
    return withMembers(reply, { linkDownloadXml: first(name, link) });
  };
}

/** Every link to a DANFE serves that of the company's invoice that was queried last. */
function danfeOfTheLastQueried(): Mutant {
  const last = new Map<string, Invoice>();
  const asked = changed(
    'danfe-of-the-last-queried',
    ['nfe-query.danfe-link-serves-a-pdf'],
    (request, context, answer) => {
      const [empresaId = '', , nfeId = ''] = request.path.split('/').slice(4);
      const found = context.state.invoices.find(empresaId, nfeId);
      if (found) last.set(empresaId, found);
      return answer(request, context);
    },
  );
  return also(asked, 'nfeQuery', {
    servedInvoice(link, invoices) {
      const own = nfeQueryRules.servedInvoice(link, invoices);
      return link.kind === 'danfe' && own ? (last.get(own.empresaId) ?? own) : own;
    },
  });
}

function withoutElement(xml: Buffer, name: string): Buffer {
  const text = xml.toString('utf8');
  const [start, end] = [text.indexOf(`<${name}`), text.indexOf(`</${name}>`)];
  return Buffer.from(text.slice(0, start) + text.slice(end + `</${name}>`.length));
}

/** Serves other bytes as the XML of an invoice. */
function xmlAs(what: string, change: (xml: Buffer) => Buffer): Mutant {
  const breaks = ['nfe-query.xml-link-serves-its-invoice', 'issuance-callback.xml-of-the-invoice'] as const;
  return ruled(`xml-${what}`, breaks, {
    async document(make) {
      const made = await make();
      return made.type === 'application/pdf' ? made : { ...made, bytes: change(made.bytes) };
    },
  });
}

const error: ReplyContent = { type: 'application/json', bytes: Buffer.from('{"code":1,"message":"Tente mais tarde"}') };
const page: ReplyContent = { type: 'text/html', bytes: Buffer.from('<!doctype html><title>Portal</title>') };

/** Serves something else in place of each third document of a kind. */
function atTimes(what: string, kind: 'xml' | 'pdf', breaks: Mutant['breaks'], served: ReplyContent): Mutant {
  let count = 0;
  return ruled(`${kind}-now-and-then-${what}`, breaks, {
    async document(make) {
      const made = await make();
      return made.type === `application/${kind}` && ++count % 3 === 0 ? served : made;
    },
  });
}

/** The company of an application that is first asked about. */
const firstCompany = firstOf<string>();

/** Queries whose links are wrong, or lead to wrong documents. */
export const nfeQueryLinkMutants: readonly Mutant[] = [
  ruled('links-by-the-age-of-the-invoice', ['nfe-query.xml-link-alive', 'nfe-query.danfe-link-alive'], {
    servedInvoice(link, invoices) {
      const invoice = nfeQueryRules.servedInvoice(link, invoices);
      return invoice && link.expiresMs - invoice.issuedMs < 1_200_000 ? invoice : undefined;
    },
  }),
  ruled('links-renewed-by-use', ['nfe-query.xml-link-expires', 'nfe-query.danfe-link-expires'], renewedByUse()),
  ruled('no-danfe-link', ['nfe-query.danfe-link-when-authorised'], {
    hasLink: (found, kind) => kind !== 'danfe' && hasLink(found, kind),
  }),
  changed('no-danfe-link-in-producao', ['nfe-query.danfe-link-when-authorised'], async (request, context, answer) => {
    const [empresaId = '', , nfeId = ''] = request.path.split('/').slice(4);
    const reply = await answer(request, context);
    const isReal = context.state.invoices.find(empresaId, nfeId)?.ambiente === 'Producao';
    return isReal && reply.status === 200 ? withMembers(reply, { linkDanfe: '' }) : reply;
  }),
  changed(
    'no-danfe-link-in-second-company',
    ['nfe-query.danfe-link-when-authorised'],
    async (request, context, answer) => {
      const [empresaId = ''] = request.path.split('/').slice(4);
      const reply = await answer(request, context);
      const isFirst = firstCompany(context.application?.appKey ?? '', empresaId) === empresaId;
      return isFirst || reply.status !== 200 ? reply : withMembers(reply, { linkDanfe: undefined });
    },
  ),
  replied('relative-danfe-link', ['nfe-query.danfe-link-when-authorised'], (reply) =>
    withMembers(reply, { linkDanfe: '/documentos/1.pdf' }),
  ),
  ruled('danfe-link-while-waiting', ['nfe-query.no-danfe-link-while-waiting'], danfeAlsoWhen('AguardandoAutorizacao')),
  ruled('danfe-link-when-denied', ['nfe-query.no-danfe-link-when-denied'], danfeAlsoWhen('Negada')),
  danfeInProducao('danfe-link-in-producao-when-denied', 'nfe-query.no-danfe-link-when-denied', 'Negada'),
  danfeInProducao(
    'danfe-link-in-producao-while-waiting',
    'nfe-query.no-danfe-link-while-waiting',
    'AguardandoAutorizacao',
  ),
  ruled('danfe-link-when-cancelled', ['nfe-query.no-danfe-link-when-cancelled'], danfeAlsoWhen('Cancelada')),
  ruled('no-xml-link', ['nfe-query.xml-link'], { hasLink: (found, kind) => kind !== 'xml' && hasLink(found, kind) }),
  replied('relative-xml-link', ['nfe-query.xml-link'], (reply) =>
    withMembers(reply, { linkDownloadXml: 'documentos/1.xml' }),
  ),
  replied('links-to-localhost', ['nfe-query.xml-link-alive', 'nfe-query.danfe-link-alive'], linkedElsewhere),
  ruled('xml-link-for-a-minute', ['nfe-query.xml-link-alive', 'issuance-callback.xml-link-alive'], {
    linkLifetimeSeconds: { xml: 60, danfe: 600 },
  }),
  ruled('danfe-link-for-a-minute', ['nfe-query.danfe-link-alive'], { linkLifetimeSeconds: { xml: 600, danfe: 60 } }),
  ruled('links-once-only', ['nfe-query.xml-link-alive', 'nfe-query.danfe-link-alive'], servedOnce()),
  ruled('links-for-ever', ['nfe-query.xml-link-expires', 'nfe-query.danfe-link-expires'], { isLinkAlive: () => true }),
  ruled('links-for-an-hour', ['nfe-query.xml-link-expires', 'nfe-query.danfe-link-expires'], {
    linkLifetimeSeconds: { xml: 3600, danfe: 3600 },
  }),
  endedByTheNextQuery(),
  deadOnceCancelled(),
  ruled('links-ended-by-a-newer-one', ['nfe-query.xml-link-alive', 'nfe-query.danfe-link-alive'], endedByANewerOne()),
  toldOnce(),
  ruled(
    'link-to-another-invoice',
    ['nfe-query.xml-link-serves-its-invoice', 'issuance-callback.xml-of-the-invoice'],
    alwaysTheFirst(),
  ),
  ruled('links-by-the-id-alone', ['nfe-query.xml-link-serves-its-invoice'], byTheIdAlone()),
  changed('addresses-of-links-by-the-id-alone', ['nfe-query.xml-link-serves-its-invoice'], addressedByTheIdAlone()),
  xmlAs('in-latin-1', (xml) => Buffer.from(xml.toString('utf8'), 'latin1')),
  xmlAs('cut-short', (xml) => xml.subarray(0, 4096)),
  xmlAs('with-the-protocol-of-another', (xml) =>
    Buffer.from(xml.toString('utf8').replace(/(?<=<chNFe>)\d{4}/, '9999')),
  ),
  xmlAs('without-its-signature', (xml) => withoutElement(xml, 'Signature')),
  xmlAs('without-its-protocol', (xml) => withoutElement(xml, 'protNFe')),
  xmlAs('of-production', (xml) => Buffer.from(xml.toString('utf8').replaceAll('<tpAmb>2<', '<tpAmb>1<'))),
  ruled(
    'documents-as-a-page',
    [
      'nfe-query.xml-link-serves-its-invoice',
      'nfe-query.danfe-link-serves-a-pdf',
      'issuance-callback.xml-of-the-invoice',
    ],
    { document: () => Promise.resolve({ type: 'text/html', bytes: Buffer.from('<p>NF-e</p>') }) },
  ),
  ruled('one-danfe-for-all', ['nfe-query.danfe-link-serves-a-pdf'], {
    async document(make) {
      const made = await make();
      return made.type === 'application/pdf' ? { ...made, bytes: Buffer.from('%PDF-1.4\n%%EOF\n') } : made;
    },
  }),
  danfeOfTheLastQueried(),
  atTimes('an-error', 'xml', ['nfe-query.xml-link-alive'], error),
  atTimes('an-error', 'pdf', ['nfe-query.danfe-link-alive'], error),
  atTimes('a-page', 'xml', ['nfe-query.xml-link-alive'], page),
  ruled('documents-empty', ['nfe-query.xml-link-alive', 'nfe-query.danfe-link-alive'], {
    document: () => Promise.resolve({ type: 'text/plain', bytes: Buffer.alloc(0) }),
  }),
];
