import type { ClauseId } from '../contract/catalogue.ts';
import type { Reply } from '../simulator/http/reply.ts';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import { nfeCancellationRules } from '../simulator/rules/nfe-cancellation.ts';
import { member } from '../schemas/values.ts';
import { endpointMutants, firstOf, mutant, type Mutant, reading, stageMutant, withMembers, wrapped } from './mutant.ts';

const { answered, changed, replied } = endpointMutants('nfe-cancellation');

/** Finds invoices to cancel in the first company that one of an id is cancelled in. */
function firstCompanyOnly(): Mutant {
  const first = firstOf<string>();
  return changed('first-company-only', ['nfe-cancellation.found-by-id'], (request, context, answer) => {
    const nfeId = request.path.split('/').at(-1) ?? '';
    if (first(nfeId, request.path) === request.path) return answer(request, context);
    return { status: 404, body: [{ codigo: 'X', mensagem: 'não encontrada' }] };
  });
}

/** Where no invoice was asked about under an id, cancels one whose id is only like it. */
function cancelsTheLike(what: string, isLike: (known: string, path: string) => boolean): Mutant {
  const asked = new Set<string>();
  const breaks = ['nfe-cancellation.unknown-id'] as const;
  return stageMutant(`nfe-cancellation.${what}`, breaks, 'endpoint', (request, context, original) => {
    const { method, path } = request;
    if (method === 'GET') asked.add(path);
    const like = method === 'DELETE' && !asked.has(path) ? [...asked].find((known) => isLike(known, path)) : undefined;
    return original.answer(like === undefined ? request : { ...request, path: like }, context);
  });
}

/** Cancels the invoice of another company, where the one that it is asked of has none of that id. */
function cancelsInAnyCompany(): Mutant {
  const companies = new Set<string>();
  const breaks = ['nfe-query.not-in-other-company'] as const;
  return stageMutant('nfe-cancellation.in-any-company', breaks, 'endpoint', async (request, context, original) => {
    const own = companyOf(request);
    companies.add(own);
    const reply = await original.answer(request, context);
    if (request.method !== 'DELETE' || reply?.status !== 404) return reply;
    for (const company of companies) {
      const other = await original.answer({ ...request, path: request.path.replace(own, company) }, context);
      if (other?.status === 200) return other;
    }
    return reply;
  });
}

/** Cancels the invoices of an id in every company that anything was asked of. */
function cancelsInEveryCompany(): Mutant {
  const companies = new Set<string>();
  const breaks = ['nfe-query.follows-the-life-cycle'] as const;
  return stageMutant('nfe-cancellation.in-every-company', breaks, 'endpoint', async (request, context, original) => {
    const own = companyOf(request);
    companies.add(own);
    for (const company of request.method === 'DELETE' ? companies : [])
      if (company !== own) await original.answer({ ...request, path: request.path.replace(own, company) }, context);
    return original.answer(request, context);
  });
}

/** The company of whose invoice a path tells; '' where it tells of none. */
const companyOf = ({ path }: RequestFacts): string => /^\/openapi\/v2\/empresas\/([^/]+)\/nf-e/.exec(path)?.[1] ?? '';

/** Cancels another invoice of the company than the one that is named: the first or the last that it was asked about. */
function cancelsAnother(which: 'first' | 'last'): Mutant {
  const asked = new Map<string, readonly string[]>();
  const breaks = ['nfe-cancellation.found-by-id'] as const;
  return stageMutant(`nfe-cancellation.cancels-the-${which}`, breaks, 'endpoint', (request, context, original) => {
    const company = request.path.slice(0, request.path.lastIndexOf('/'));
    const paths = asked.get(company) ?? [];
    if (request.method === 'GET') asked.set(company, [...new Set([...paths, request.path])]);
    const path = (which === 'first' ? paths[0] : paths.at(-1)) ?? request.path;
    return original.answer(request.method === 'DELETE' ? { ...request, path } : request, context);
  });
}

/** Cancels by the number of an invoice: the one of the other environment that has the same goes with it. */
function cancelsByNumber(): Mutant {
  const numbers = new Map<string, string>();
  const cancelled = new Set<string>();
  const breaks = ['nfe-cancellation.found-by-id'] as const;
  return stageMutant('nfe-cancellation.by-number', breaks, 'endpoint', async (request, context, original) => {
    const reply = await original.answer(request, context);
    if (reply?.status !== 200) return reply;
    const company = request.path.slice(0, request.path.lastIndexOf('/'));
    if (request.method === 'DELETE') cancelled.add(numbers.get(request.path) ?? '');
    const number = `${company} ${String(member(reply.body, 'numero'))}`;
    if (request.method !== 'GET' || member(reply.body, 'status') !== 'Autorizada') return reply;
    numbers.set(request.path, number);
    return cancelled.has(number) ? withMembers(reply, { status: 'Cancelada', linkDanfe: '' }) : reply;
  });
}

/** The same path with its last segment in lower case. */
function withLowerId(path: string): string {
  const end = path.lastIndexOf('/');
  return path.slice(0, end) + path.slice(end).toLowerCase();
}

/** Cancels the first alone, of the companies of an application or of the invoices of a company, and says so of all. */
function forgottenBut(first: 'company' | 'invoice'): Mutant {
  const earliest = firstOf<string>();
  return changed(
    `forgotten-but-in-the-first-${first}`,
    ['nfe-cancellation.status-becomes-cancelada'],
    (request, context, answer) => {
      const [company = '', , nfeId = ''] = request.path.split('/').slice(-3);
      const { appKey = '' } = context.application ?? {};
      const [whole, one] = first === 'company' ? [appKey, company] : [company, nfeId];
      return earliest(whole, one) === one ? answer(request, context) : { status: 200 };
    },
  );
}

/** A cancellation that comes too late is answered otherwise. */
function late(what: string, clause: ClauseId, change: (reply: Reply) => Reply): Mutant {
  return answered(`late-${what}`, [clause], (reply) =>
    JSON.stringify(reply.body ?? '').includes('SEFAZ-501') ? change(reply) : reply,
  );
}

/** An invoice that was denied reads as cancelled once its cancellation was refused. */
function refusedMarked(): Mutant {
  const marked = new Set<string>();
  const breaks = ['nfe-query.follows-the-life-cycle'] as const;
  return stageMutant('nfe-cancellation.refused-marked', breaks, 'endpoint', async (request, context, original) => {
    const reply = await original.answer(request, context);
    if (request.method === 'DELETE' && reply?.status === 400) marked.add(request.path);
    const isDenied = reply?.status === 200 && member(reply.body, 'status') === 'Negada';
    return isDenied && marked.has(request.path) ? withMembers(reply, { status: 'Cancelada' }) : reply;
  });
}

/** Wrong cancellations. */
export const nfeCancellationMutants: readonly Mutant[] = [
  refusedMarked(),
  cancelsInAnyCompany(),
  cancelsAnother('first'),
  cancelsAnother('last'),
  cancelsByNumber(),
  replied('as-204', ['nfe-cancellation.status-200'], () => ({ status: 204 })),
  replied('as-202', ['nfe-cancellation.status-200'], () => ({ status: 202 })),
  replied('with-body', ['nfe-cancellation.empty-body'], (reply) => ({ ...reply, body: { status: 'Cancelada' } })),
  replied('in-envelope', ['nfe-cancellation.empty-body'], wrapped),
  mutant('nfe-cancellation.forgotten', ['nfe-cancellation.status-becomes-cancelada'], 'nfeCancellation', {
    cancel: () => undefined,
  }),
  mutant('nfe-cancellation.forgotten-in-producao', ['nfe-cancellation.status-becomes-cancelada'], 'nfeCancellation', {
    cancel: (invoice, register) =>
      invoice.ambiente === 'Producao' ? undefined : nfeCancellationRules.cancel(invoice, register),
  }),
  changed('id-in-any-case', ['nfe-cancellation.unknown-id'], async (request, context, answer) => {
    const reply = await answer(request, context);
    return reply.status === 404 ? answer({ ...request, path: withLowerId(request.path) }, context) : reply;
  }),
  cancelsInEveryCompany(),
  cancelsTheLike('found-by-its-beginning', (known, path) => known.startsWith(path)),
  cancelsTheLike('found-by-a-pattern', (known, path) => path.endsWith('_') && known.slice(0, -1) === path.slice(0, -1)),
  answered('unknown-as-200', ['nfe-cancellation.unknown-id'], (reply) =>
    reply.status === 404 ? { status: 200 } : reply,
  ),
  ...[409, 422].map((status) =>
    answered(`refused-as-${status}`, ['nfe-cancellation.error-array'], (reply) =>
      reply.status === 400 ? { ...reply, status } : reply,
    ),
  ),
  answered('unknown-as-422', ['nfe-cancellation.error-array', 'nfe-cancellation.unknown-id'], (reply) =>
    reply.status === 404 ? { ...reply, status: 422 } : reply,
  ),
  firstCompanyOnly(),
  forgottenBut('company'),
  forgottenBut('invoice'),
  changed(
    'id-in-small-letters',
    ['nfe-cancellation.found-by-id'],
    reading((request) => ({ ...request, path: withLowerId(request.path) })),
  ),
  late('refused-with-409', 'nfe-cancellation.error-array', (reply) => ({ ...reply, status: 409 })),
  late('taken-for-done', 'nfe-cancellation.status-becomes-cancelada', () => ({ status: 200 })),
  changed(
    'escaped-id-unknown',
    ['nfe-cancellation.found-by-id'],
    reading((request) => (request.path.includes('%') ? { ...request, path: `${request.path}x` } : request)),
  ),
];
