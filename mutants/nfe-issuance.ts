import { referenceRules } from '../simulator/rules/rules.ts';
import { randomUUID } from 'node:crypto';
import type { Reply } from '../simulator/http/reply.ts';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import type { Application } from '../simulator/model.ts';
import type { Reason } from '../simulator/rules/refusal.ts';
import { findRoute } from '../simulator/rules/route.ts';
import {
  endpointMutants,
  ruleMutants,
  asking,
  type EndpointChange,
  mutant,
  type Mutant,
  stageMutant,
  wrapped,
  firstOf,
  idIn,
} from './mutant.ts';
import { parseJsonObject } from '../simulator/http/json.ts';
import { member } from '../schemas/values.ts';

const { answered, changed, replied } = endpointMutants('nfe-issuance');
const ruled = ruleMutants('nfe-issuance', 'nfeIssuance');

/** The clauses on the shape of a refusal, on the endpoints that share it. */
const shapes = [
  'nfe-issuance.error-array',
  'nfe-issuance.unknown-company',
  'nfe-issuance.malformed-json',
  'nfe-query.unknown-id',
  'nfe-cancellation.unknown-id',
  'nfe-cancellation.error-array',
] as const;

function faultsMutant(what: string, body: (faults: readonly Reason[]) => unknown): Mutant {
  return mutant(`nfe-issuance.${what}`, shapes, 'faults', { body });
}

/** Asks for something else than what was asked, where that would be refused. */
function lenient(change: (body: Record<string, unknown>) => object | undefined): EndpointChange {
  return (request, context, answer) => {
    const body = parseJsonObject(request.rawBody);
    const members = body && change(body);
    return answer(members ? asking(request, members) : request, context);
  };
}

/** Keeps an id to one company of an integrator. */
function idUniqueInIntegrator(): EndpointChange {
  const pathOf = new Map<string, string>();
  return async (request, context, answer) => {
    const key = `${context.application?.integratorId} ${idIn(request)}`;
    const path = pathOf.get(key);
    if (path !== undefined && path !== request.path) return refusal;
    const reply = await answer(request, context);
    if (reply.status === 200) pathOf.set(key, request.path);
    return reply;
  };
}

const refusal: Reply = { status: 400, body: [{ codigo: 'X', mensagem: 'recusada' }] };

/** What is broken where an application may act for a company of another. */
const ownersOnly = [
  'nfe-issuance.company-of-its-integrator',
  'nfe-query.not-by-other-integrator',
  'nfe-cancellation.not-by-other-integrator',
] as const;

/** The first application that addresses a company is taken for all others that do, at some of its paths. */
function ownerless(what: string, breaks: Mutant['breaks'], isThere: (path: string) => boolean): Mutant {
  const owner = firstOf<Application>();
  return stageMutant(`nfe-issuance.${what}`, breaks, 'endpoint', (request, context, original) => {
    const empresaId = /\/empresas\/([^/]+)/.exec(request.path)?.[1];
    const { application } = context;
    if (empresaId === undefined || !application) return original.answer(request, context);
    const first = owner(empresaId, application);
    return original.answer(request, { ...context, application: isThere(request.path) ? first : application });
  });
}

/** Takes the id of an invoice again that was cancelled. */
function freeAfterCancellation(): Mutant {
  const cancelled = new Set<string>();
  const breaks = ['nfe-issuance.id-unique-in-company'] as const;
  return stageMutant(
    'nfe-issuance.id-free-after-cancellation',
    breaks,
    'endpoint',
    async (request, context, original) => {
      const reply = await original.answer(request, context);
      if (request.method === 'DELETE' && reply?.status === 200) cancelled.add(request.path);
      const id = request.method === 'POST' ? idIn(request) : '';
      const isAgain = reply?.status === 400 && cancelled.has(`${request.path}/${id}`);
      return isAgain ? { status: 200 } : reply;
    },
  );
}

/** Issues for no company any more that has an invoice which was told to be in that state. */
function refusedAfter(what: string, state: string): Mutant {
  const stopped = new Set<string>();
  const breaks = ['nfe-issuance.status-200'] as const;
  return stageMutant(`nfe-issuance.refused-after-a-${what}`, breaks, 'endpoint', async (request, context, original) => {
    if (request.method === 'POST' && stopped.has(request.path)) return refusal;
    const reply = await original.answer(request, context);
    const isTold = reply?.status === 200 && member(reply.body, 'status') === state;
    if (request.method === 'GET' && isTold) stopped.add(request.path.slice(0, request.path.lastIndexOf('/')));
    return reply;
  });
}

/** Refuses a taken id only where the invoice is like the one that has it. */
function takenOnlyAs(what: string, isOther: (body: Body, known: Body) => boolean): Mutant {
  const issued = new Map<string, Body>();
  return changed(
    `id-taken-by-${what}-only`,
    ['nfe-issuance.id-unique-in-company'],
    async (request, context, answer) => {
      const body = parseJsonObject(request.rawBody) ?? {};
      const key = `${request.path} ${String(body['id'])}`;
      const reply = await answer(request, context);
      const known = issued.get(key);
      if (reply.status === 200) issued.set(key, body);
      const isSame = JSON.stringify(known) === JSON.stringify(body);
      return reply.status === 400 && known && !isSame && isOther(body, known) ? { status: 200 } : reply;
    },
  );
}

/** Takes an id again in any company but an application's first. */
function takenInSecondCompany(): Mutant {
  const first = firstOf<string>();
  return changed(
    'id-taken-again-in-the-second-company',
    ['nfe-issuance.id-unique-in-company'],
    async (request, context, answer) => {
      const reply = await answer(request, context);
      const isSecond = first(context.application?.appKey ?? '', request.path) !== request.path;
      return isSecond && isRepeated(reply) ? { status: 200 } : reply;
    },
  );
}

/** Whether an issuance was refused since its id is taken. */
function isRepeated({ body }: Reply): boolean {
  return JSON.stringify(body ?? '').includes('REPETIDO');
}

/** Takes an id again that is refused where this one is so. */
function takenAgain(what: string, isTaken: (request: RequestFacts, lastId: string | undefined) => boolean): Mutant {
  const last = new Map<string, string>();
  return changed(`id-taken-again-${what}`, ['nfe-issuance.id-unique-in-company'], async (request, context, answer) => {
    const reply = await answer(request, context);
    const lastId = last.get(request.path);
    if (reply.status === 200) last.set(request.path, idIn(request));
    return isRepeated(reply) && isTaken(request, lastId) ? { status: 200 } : reply;
  });
}

/** Keeps an id for a month, as what expires. */
function freeAfterAMonth(): Mutant {
  const taken = new Map<string, number>();
  const monthMs = 30 * 24 * 3_600_000;
  const breaks = ['nfe-issuance.id-unique-in-company'] as const;
  return changed('id-free-after-a-month', breaks, async (request, context, answer) => {
    const key = `${request.path} ${idIn(request)}`;
    const reply = await answer(request, context);
    if (reply.status === 200) taken.set(key, context.nowMs);
    const isOld = context.nowMs - (taken.get(key) ?? context.nowMs) > monthMs;
    return isRepeated(reply) && isOld ? { status: 200 } : reply;
  });
}

type Body = Record<string, unknown>;

/** Takes an id for another one of its company that is only like it. */
function takenForAnother(what: string, keyOf: (id: string) => string): Mutant {
  const first = firstOf<string>();
  return ruled(what, ['nfe-issuance.status-200'], {
    holderOf: (nfeId, { empresaId }, invoices) =>
      invoices.find(empresaId, first(`${empresaId} ${keyOf(nfeId)}`, nfeId)),
  });
}

/** Knows of each company the ids of its latest invoices alone. */
function rememberingIds(count: number): Mutant {
  const latest = new Map<string, readonly string[]>();
  return ruled(`remembers-${count}-ids`, ['nfe-issuance.id-unique-in-company'], {
    holderOf(nfeId, empresa, invoices) {
      const known = latest.get(empresa.empresaId) ?? [];
      if (known.includes(nfeId)) return referenceRules.nfeIssuance.holderOf(nfeId, empresa, invoices);
      latest.set(empresa.empresaId, [...known, nfeId].slice(-count));
      return undefined;
    },
  });
}

/** A taken id is refused, and its invoice is denied from then on. */
const repeatDenies = changed(
  'repeated-id-denies-the-first',
  ['nfe-issuance.id-unique-in-company'],
  async (request, context, answer) => {
    const reply = await answer(request, context);
    const [, , , , empresaId = ''] = request.path.split('/');
    const holder = reply.status === 400 ? context.state.invoices.find(empresaId, idIn(request)) : undefined;
    if (holder?.settlement) context.state.invoices.settle(holder.id, { ...holder.settlement, outcome: 'Negada' });
    return reply;
  },
);

/** Ids are free again once their company has another certificate. */
function freedByCertificate(): Mutant {
  const id = 'nfe-issuance.ids-freed-by-a-certificate';
  const freed = new Map<string, Set<string>>();
  return stageMutant(id, ['nfe-query.found-by-id'], 'endpoint', async (request, context, original) => {
    const { endpoint: { name } = {}, variables = {} } = findRoute(request.method, request.path) ?? {};
    const { empresaId: company = '' } = variables;
    const reply = await original.answer(request, context);
    if (name === 'certificado-association') freed.set(company, new Set());
    if (name !== 'nfe-issuance') return reply;
    const taken = freed.get(company);
    const isTaken = JSON.stringify(reply?.body ?? '').includes('ID-REPETIDO');
    const isFreed = isTaken && taken !== undefined && !taken.has(idIn(request));
    if (reply?.status === 200 || isFreed) taken?.add(idIn(request));
    return isFreed ? { status: 200 } : reply;
  });
}

/** Wrong issuances. */
export const nfeIssuanceMutants: readonly Mutant[] = [
  freedByCertificate(),
  replied('as-202', ['nfe-issuance.status-200'], (reply) => ({ ...reply, status: 202 })),
  replied('as-204', ['nfe-issuance.status-200'], (reply) => ({ ...reply, status: 204 })),
  replied('json-body', ['nfe-issuance.no-content'], (reply) => ({
    ...reply,
    body: { status: 'AguardandoAutorizacao' },
  })),
  replied('in-envelope', ['nfe-issuance.no-content'], wrapped),
  changed('denied-at-once', ['nfe-issuance.denial-accepted'], (request, context, answer) =>
    request.rawBody.includes('SIMULAR-NEGADA') ? refusal : answer(request, context),
  ),
  ruled('stuck', ['nfe-issuance.authorisation-readable', 'nfe-issuance.denial-readable'], { settles: () => false }),
  ruled('denial-lost', ['nfe-issuance.denial-readable'], {
    settles: ({ content }) => !content.informacoesAdicionais?.includes('SIMULAR-NEGADA'),
  }),
  ruled('duplicate-accepted', ['nfe-issuance.id-unique-in-company'], { holderOf: () => undefined }),
  freeAfterCancellation(),
  refusedAfter('denial', 'Negada'),
  refusedAfter('cancellation', 'Cancelada'),
  takenForAnother('id-without-case', (id) => id.toLowerCase()),
  takenForAnother('id-without-accents', (id) => id.normalize('NFD').replaceAll(/\p{M}/gu, '')),
  takenForAnother('id-without-punctuation', (id) => id.replaceAll(/\p{P}/gu, '')),
  takenForAnother('id-trimmed', (id) => id.trim()),
  takenForAnother('id-of-the-first-plane', (id) => id.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')),
  takenForAnother('id-cut-to-36', (id) => id.slice(0, 36)),
  takenForAnother('id-cut-to-191', (id) => id.slice(0, 191)),
  takenForAnother('id-in-compatible-form', (id) => id.normalize('NFKC')),
  takenForAnother('id-as-number', (id) => (/^\d+$/.test(id) ? String(Number(id)) : id)),
  takenForAnother('long-number-in-64-bits', (id) => (/^\d{16,}$/.test(id) ? String(Number(id)) : id)),
  ruled('id-free-while-waiting', ['nfe-issuance.id-unique-in-company'], {
    holderOf(nfeId, { empresaId }, invoices) {
      const invoice = invoices.find(empresaId, nfeId);
      return invoice?.settlement ? invoice : undefined;
    },
  }),
  takenInSecondCompany(),
  freeAfterAMonth(),
  takenAgain('after-another', (request, lastId) => idIn(request) !== lastId),
  takenAgain('in-chunks', ({ headers }) => headers['transfer-encoding'] !== undefined),
  answered('large-as-204', ['nfe-issuance.status-200'], (reply, request) =>
    reply.status === 200 && request.rawBody.length > 16_384 ? { ...reply, status: 204 } : reply,
  ),
  takenOnlyAs('content', () => true),
  takenOnlyAs('environment', (body, known) => body['ambienteEmissao'] !== known['ambienteEmissao']),
  answered('duplicate-ignored', ['nfe-issuance.id-unique-in-company'], (reply) =>
    isRepeated(reply) ? { status: 200 } : reply,
  ),
  changed('id-unique-in-integrator', ['nfe-issuance.id-free-in-other-company'], idUniqueInIntegrator()),
  changed(
    'id-made-up',
    ['nfe-issuance.id-required'],
    lenient(({ id }) => (id === undefined ? { id: randomUUID() } : undefined)),
  ),
  changed(
    'id-made-up-for-null',
    ['nfe-issuance.id-string'],
    lenient(({ id }) => (id === null ? { id: randomUUID() } : undefined)),
  ),
  changed(
    'id-as-text-of-anything',
    ['nfe-issuance.id-string'],
    lenient(({ id }) =>
      typeof id === 'string' || id === undefined ? undefined : { id: `${JSON.stringify(id)}${randomUUID()}` },
    ),
  ),
  ruled('ambiente-in-any-case', ['nfe-issuance.ambiente-known'], {
    ambienteOf: (value) => {
      const word = String(value).toLowerCase();
      return word === 'producao' ? 'Producao' : word === 'homologacao' ? 'Homologacao' : undefined;
    },
  }),
  ruled('unknown-ambiente-for-homologacao', ['nfe-issuance.ambiente-known'], {
    ambienteOf: (value) => (value === 'Producao' ? 'Producao' : 'Homologacao'),
  }),
  ruled('homologacao-only', ['nfe-issuance.both-ambientes'], {
    ambienteOf: (value) => (value === 'Homologacao' ? 'Homologacao' : undefined),
  }),
  faultsMutant('error-object', ([first]) => first),
  faultsMutant('error-in-object', (faults) => ({ erros: faults })),
  faultsMutant('error-code-message', (faults) =>
    faults.map(({ codigo, mensagem }) => ({ code: codigo, message: mensagem })),
  ),
  faultsMutant('error-empty-array', () => []),
  faultsMutant('error-without-codigo', (faults) => faults.map(({ mensagem }) => ({ mensagem }))),
  faultsMutant('error-texts', (faults) => faults.map(({ mensagem }) => mensagem)),
  answered(
    'refusal-as-422',
    [
      'nfe-issuance.error-array',
      'nfe-issuance.malformed-json',
      'nfe-issuance.id-required',
      'nfe-issuance.id-unique-in-company',
    ],
    (reply) => (reply.status === 400 ? { ...reply, status: 422 } : reply),
  ),
  changed('id-as-spelt', ['nfe-issuance.id-unique-in-company'], (request, context, answer) => {
    const id = /"id"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(request.rawBody.toString('utf8'))?.[1];
    return answer(id !== undefined && parseJsonObject(request.rawBody) ? asking(request, { id }) : request, context);
  }),
  changed('malformed-as-500', ['nfe-issuance.malformed-json'], (request, context, answer) =>
    parseJsonObject(request.rawBody)
      ? answer(request, context)
      : { status: 500, body: { code: 1, message: 'SyntaxError' } },
  ),
  answered('unknown-company-accepted', ['nfe-issuance.unknown-company'], (reply) =>
    reply.status === 404 ? { status: 200 } : reply,
  ),
  ownerless('for-any-integrator', ownersOnly, (path) => !path.endsWith('/certificadoDigital')),
  ownerless('certificate-of-any-integrator', ownersOnly.slice(0, 1), (path) => path.endsWith('/certificadoDigital')),
  rememberingIds(10),
  takenForAnother('ids-by-first-32', (id) => id.slice(0, 32)),
  repeatDenies,
];
