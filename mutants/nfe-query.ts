import { member } from '../schemas/values.ts';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import type { Invoice } from '../simulator/model.ts';
import type { Reply } from '../simulator/http/reply.ts';
import { nfeQueryRules } from '../simulator/rules/nfe-query.ts';
import { findRoute } from '../simulator/rules/route.ts';
import { webhookDeliveryRules } from '../simulator/rules/webhook-delivery.ts';
import {
  ruleMutants,
  endpointMutants,
  type EndpointChange,
  type Mutant,
  statesInEnglish,
  withMembers,
  wrapped,
  also,
  endpointMutant,
  idIn,
  reading,
  remembering,
  stageMutant,
  notingDisabled,
  counter,
} from './mutant.ts';

const ruled = ruleMutants('nfe-query', 'nfeQuery');
const { answered, changed, replied } = endpointMutants('nfe-query');

const { state, hasLink } = nfeQueryRules;

/** A state is called otherwise. */
function renamed(from: string, to: string): Partial<typeof nfeQueryRules> {
  return {
    state: (invoice, record) => {
      const found = state(invoice, record);
      return found === from ? to : found;
    },
  };
}

/** The request with its last segment changed. */
function withId(request: RequestFacts, change: (nfeId: string) => string): RequestFacts {
  const at = request.path.lastIndexOf('/') + 1;
  return { ...request, path: request.path.slice(0, at) + change(request.path.slice(at)) };
}

function idChanged(change: (nfeId: string) => string): EndpointChange {
  return reading((request) => withId(request, change));
}

/** Finds what is only like the id that was asked for, where that one is unknown. */
function orLike(change: (nfeId: string) => string): EndpointChange {
  return async (request, context, answer) => {
    const reply = await answer(request, context);
    return reply.status === 404 ? answer(withId(request, change), context) : reply;
  };
}

/** Of the invoices of a company only the ten that were issued last are found, as where the first page of a list is searched. */
function onFirstPage(): Mutant {
  const issued = new Map<string, string[]>();
  const companyOf = (path: string): string => path.split('/')[4] ?? '';
  return stageMutant(
    'nfe-query.first-page-alone',
    ['nfe-query.found-by-id'],
    'endpoint',
    async (request, context, original) => {
      const endpoint = findRoute(request.method, request.path)?.endpoint.name;
      const ids = issued.get(companyOf(request.path)) ?? [];
      const reply = await original.answer(request, context);
      if (endpoint === 'nfe-issuance' && reply?.status === 200)
        issued.set(companyOf(request.path), [idIn(request), ...ids]);
      const isLater = ids.indexOf(decodeURIComponent(request.path.split('/').at(-1) ?? '')) >= 10;
      return endpoint === 'nfe-query' && isLater
        ? { status: 404, body: [{ codigo: '404', mensagem: 'Nota não encontrada' }] }
        : reply;
    },
  );
}

/** Nothing is decided any more for an application that was disabled once. */
function undecidedOnceDisabled(): Mutant {
  const breaks = ['nfe-query.follows-the-life-cycle'] as const;
  const { noting, wasDisabled } = notingDisabled('nfe-query.undecided-once-disabled', breaks);
  return also(noting, 'nfeIssuance', { settles: ({ appKey }) => !wasDisabled(appKey) });
}

/** What was decided of an invoice is stored together with what its callback got: it waits as long as that is refused. */
function storedWithItsCallback(): Mutant {
  const refused = new Set<string>();
  const isRefused = ({ appKey, nfeId }: Invoice): boolean => refused.has(`${appKey} "${nfeId}"`);
  const asked = ruled('stored-with-its-callback', ['nfe-query.follows-the-life-cycle'], {
    state: (invoice, record) => (isRefused(invoice) ? 'AguardandoAutorizacao' : state(invoice, record)),
  });
  const { failuresInARow } = webhookDeliveryRules;
  return also(asked, 'webhookDelivery', {
    failuresInARow(before, attempt, isDone) {
      const [, nfeId] = /"nfeId":("[^"]*")/.exec(attempt.rawBody.toString('utf8')) ?? [];
      if (isDone) refused.delete(`${attempt.appKey} ${nfeId}`);
      else refused.add(`${attempt.appKey} ${nfeId}`);
      return failuresInARow(before, attempt, isDone);
    },
  });
}

/** Tells what a path was answered with before, whoever asks now. */
function rememberedByPath(): EndpointChange {
  const known = new Map<string, Reply>();
  return async (request, context, answer) => {
    const reply = await answer(request, context);
    if (reply.status === 200) known.set(request.path, reply);
    return reply.status === 404 ? (known.get(request.path) ?? reply) : reply;
  };
}

/** What is not found under one company is looked for under the one that was asked for it before. */
function inAnyCompany(): EndpointChange {
  const pathOf = new Map<string, string>();
  const paths = new Set<string>();
  return async (request, context, answer) => {
    const reply = await answer(request, context);
    const nfeId = request.path.split('/').at(-1) ?? '';
    if (reply.status === 200) pathOf.set(nfeId, request.path);
    paths.add(request.path.slice(0, request.path.lastIndexOf('/') + 1));
    if (reply.status !== 404) return reply;
    for (const path of [pathOf.get(nfeId), ...[...paths].map((folder) => folder + nfeId)]) {
      const other = path === undefined ? reply : await answer({ ...request, path }, context);
      if (other.status === 200) return other;
    }
    return reply;
  };
}

/** Remembers the first state that it told of an id, whichever company it is in. */
function stateById(): EndpointChange {
  const states = new Map<string, unknown>();
  return async (request, context, answer) => {
    const reply = await answer(request, context);
    const nfeId = request.path.split('/').at(-1) ?? '';
    if (reply.status !== 200) return reply;
    const status: unknown = states.get(nfeId) ?? member(reply.body, 'status');
    if (status !== 'AguardandoAutorizacao') states.set(nfeId, status);
    return withMembers(reply, { status });
  };
}

/** A cancellation reaches the invoices of that id in all companies of its application. */
function cancelledEverywhere(): Mutant {
  const cancelled = new Set<string>();
  return stageMutant(
    'nfe-query.cancelled-in-all-companies',
    ['nfe-query.follows-the-life-cycle'],
    'endpoint',
    async (request, context, original) => {
      const reply = await original.answer(request, context);
      const nfeId = /\/v2\/empresas\/[^/]+\/nf-e\/([^/]+)$/.exec(request.path)?.[1];
      if (nfeId === undefined || reply?.status !== 200) return reply;
      const name = `${context.application?.appKey} ${nfeId}`;
      if (request.method === 'DELETE') cancelled.add(name);
      return request.method === 'GET' && cancelled.has(name) ? withMembers(reply, { status: 'Cancelada' }) : reply;
    },
  );
}

/** A cancellation reaches all invoices that its company has issued, or those alone that are older than the one that it is of. */
function cancelledWithAnother(what: 'another' | 'a-later-one'): Mutant {
  const [issued, cancelled] = [new Map<string, Set<string>>(), new Set<string>()];
  return stageMutant(
    `nfe-query.cancelled-with-${what}`,
    ['nfe-query.follows-the-life-cycle'],
    'endpoint',
    async (request, context, original) => {
      const reply = await original.answer(request, context);
      const [, empresaId = '', nfeId] = /\/v2\/empresas\/([^/]+)\/nf-e(?:\/([^/]+))?$/.exec(request.path) ?? [];
      if (reply?.status !== 200) return reply;
      const ids = issued.get(empresaId) ?? new Set();
      if (request.method === 'POST') issued.set(empresaId, ids.add(encodeURIComponent(idIn(request))));
      const reached = what === 'another' ? ids : [...ids].slice(0, [...ids].indexOf(nfeId ?? '') + 1);
      if (request.method === 'DELETE') reached.forEach((id) => cancelled.add(`${empresaId}/${id}`));
      const isReached = request.method === 'GET' && cancelled.has(`${empresaId}/${nfeId}`);
      return isReached && member(reply.body, 'status') === 'Autorizada'
        ? withMembers(reply, { status: 'Cancelada' })
        : reply;
    },
  );
}

/** An issuance that is refused since its id is taken replaces the content of the invoice that waits. */
function decidedByTheRefused(): Mutant {
  const denied = new Set<string>();
  const issuance = endpointMutant(
    'nfe-query.decided-by-the-refused',
    ['nfe-query.follows-the-life-cycle'],
    'nfe-issuance',
    async (request, context, answer) => {
      const [empresaId = '', nfeId] = [request.path.split('/')[4], idIn(request)];
      const waiting = context.state.invoices.find(empresaId, nfeId);
      const reply = await answer(request, context);
      const isReplaced = waiting !== undefined && waiting.settlement === undefined && reply.status === 400;
      if (isReplaced && request.rawBody.includes('SIMULAR-NEGADA')) denied.add(`${empresaId} ${nfeId}`);
      return reply;
    },
  );
  return also(issuance, 'nfeQuery', {
    state(invoice, record) {
      const found = state(invoice, record);
      return found === 'Autorizada' && denied.has(`${invoice.empresaId} ${invoice.nfeId}`) ? 'Negada' : found;
    },
  });
}

/** Fails where an invoice is issued under such an id, as a column that does not hold it. */
function failing(what: string, id: RegExp): Mutant {
  return endpointMutant(
    `nfe-query.${what}-id-as-500`,
    ['nfe-query.found-by-id'],
    'nfe-issuance',
    (request, context, answer) => (id.test(idIn(request)) ? { status: 500, body: {} } : answer(request, context)),
  );
}

/** What a company has issued is lost once it has another certificate, as where that replaces the whole of its record. */
function lostByCertificate(): Mutant {
  const associated = counter();
  const lost = new Set<string>();
  return stageMutant(
    'nfe-query.lost-by-another-certificate',
    ['nfe-query.found-by-id'],
    'endpoint',
    async (request, context, original) => {
      const route = findRoute(request.method, request.path);
      const [name, empresaId = ''] = [route?.endpoint.name, route?.variables['empresaId']];
      const isLost = name === 'nfe-query' && lost.has(empresaId);
      const reply = await original.answer(isLost ? withId(request, () => 'lost') : request, context);
      if (name === 'nfe-issuance') lost.delete(empresaId);
      if (name === 'certificado-association' && associated(empresaId) > 0) lost.add(empresaId);
      return reply;
    },
  );
}

/** How ids are misread. */
const ids: readonly (readonly [what: string, change: (nfeId: string) => string])[] = [
  ['leading-zeros-dropped', (id) => id.replace(/^0+(?=.)/, '')],
  ['id-cut-at-dot', (id) => id.replace(/\..*/, '')],
  ['spaces-as-plus', (id) => id.replaceAll('%20', '+')],
  ['id-cut-at-40', (id) => id.slice(0, 40)],
  ['id-in-small-letters', (id) => id.toLowerCase()],
  ['id-cut-at-semicolon', (id) => id.replace(/%3B.*/i, '')],
  ['id-normalised', (id) => id.replaceAll(/e%CC%81/gi, '%C3%A9')],
  ['id-decoded-twice', (id) => id.replaceAll('%25', '%')],
  ['extension-cut', (id) => id.replace(/\.[a-z]+$/, '')],
  ['last-dot-cut', (id) => id.replace(/\.$/, '')],
];

/** Wrong queries. */
export const nfeQueryMutants: readonly Mutant[] = [
  replied('in-envelope', ['nfe-query.bare-object'], wrapped),
  ruled('denied-otherwise-in-producao', ['nfe-query.status-known'], {
    state: (invoice, record) => {
      const found = state(invoice, record);
      return found === 'Negada' && invoice.ambiente === 'Producao' ? 'Denegada' : found;
    },
  }),
  answered('apostrophes-as-500', ['nfe-query.found-by-id'], (reply, { path }) =>
    /'|%27/.test(path) ? { status: 500, body: { error: 'SQLSyntaxErrorException' } } : reply,
  ),
  answered('colons-not-found', ['nfe-query.found-by-id'], (reply, { path }) =>
    /:|%3A/i.test(path) ? { status: 404, body: [{ codigo: '404', mensagem: 'Nota não encontrada' }] } : reply,
  ),
  replied('in-array', ['nfe-query.bare-object'], (reply) => ({ ...reply, body: [reply.body] })),
  replied('as-203', ['nfe-query.bare-object'], (reply) => ({ ...reply, status: 203 })),
  ruled('status-in-small-letters', ['nfe-query.status-known'], {
    state: (invoice, record) => state(invoice, record).toLowerCase(),
  }),
  ruled('status-misspelt', ['nfe-query.status-known'], renamed('Autorizada', 'Autorizado')),
  statesInEnglish('nfe-query', 'nfe-query.status-known', { Autorizada: 'Authorized', Negada: 'Denied' }),
  replied('status-as-number', ['nfe-query.status-known'], (reply) => withMembers(reply, { status: 2 })),
  replied('without-status', ['nfe-query.status-known'], (reply) => withMembers(reply, { status: undefined })),
  ruled('never-waits', ['nfe-query.waits-for-authority'], {
    ...renamed('AguardandoAutorizacao', 'Autorizada'),
    hasLink: (found, kind) => found === 'Cancelada' && hasLink(found, kind),
  }),
  changed('denied-by-nobody', ['nfe-query.waits-for-authority'], async (request, context, answer) => {
    const reply = await answer(request, context);
    const isOut = context.application?.authority.isReachable === false;
    const isWaiting = member(reply.body, 'status') === 'AguardandoAutorizacao';
    return isOut && isWaiting ? withMembers(reply, { status: 'Negada' }) : reply;
  }),
  ...ids.map(([what, change]) => changed(what, ['nfe-query.found-by-id'], idChanged(change))),
  changed(
    'unknown-for-good',
    ['nfe-query.found-by-id'],
    remembering(({ path }) => path, 404),
  ),
  ...(
    [
      ['in-any-case', (id) => id.toLowerCase()],
      ['with-any-end', (id) => id.slice(0, -1)],
      ['with-leading-zeros', (id) => id.replace(/^0/, '')],
      ['by-its-first-digits', (id) => /^\d+/.exec(id)?.[0] ?? id],
    ] as const satisfies readonly (readonly [string, (id: string) => string])[]
  ).map(([what, change]) => changed(`like-id-found-${what}`, ['nfe-query.unknown-id'], orLike(change))),
  changed('words-of-javascript-lost', ['nfe-query.found-by-id'], async (request, context, answer) => {
    const isWord = (request.path.split('/').at(-1) ?? '') in {};
    return isWord
      ? { status: 404, body: [{ codigo: '404', mensagem: 'Nota não encontrada' }] }
      : answer(request, context);
  }),
  lostByCertificate(),
  onFirstPage(),
  storedWithItsCallback(),
  undecidedOnceDisabled(),
  cancelledWithAnother('another'),
  cancelledWithAnother('a-later-one'),
  decidedByTheRefused(),
  answered('unknown-as-200', ['nfe-query.unknown-id'], (reply) =>
    reply.status === 404 ? { status: 200, body: { status: 'AguardandoAutorizacao' } } : reply,
  ),
  answered('long-unknown-as-500', ['nfe-query.unknown-id'], (reply, { path }) =>
    reply.status !== 200 && path.split('/').at(-1)?.length === 60 ? { status: 500 } : reply,
  ),
  answered('null-as-500', ['nfe-query.unknown-id'], (reply, { path }) =>
    path.endsWith('/null') && reply.status !== 200 ? { status: 500 } : reply,
  ),
  answered('unknown-as-500', ['nfe-query.unknown-id'], (reply) =>
    reply.status === 404 ? { ...reply, status: 500 } : reply,
  ),
  changed('in-any-company', ['nfe-query.not-in-other-company'], inAnyCompany()),
  changed('remembered-by-its-path', ['nfe-query.not-by-other-integrator'], rememberedByPath()),
  changed('state-by-id-alone', ['nfe-query.follows-the-life-cycle'], stateById()),
  cancelledEverywhere(),
  failing('long', /^.{121}/),
  failing('nul', /\0/),
  ruled('denegada-for-some-codes', ['nfe-query.status-known'], {
    state: (invoice, record) =>
      /^30[1-3]\b/.test(invoice.settlement?.motivo ?? '') ? 'Denegada' : state(invoice, record),
  }),
];
