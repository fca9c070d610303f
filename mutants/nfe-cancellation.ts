import { nfeCancellationRules } from '../simulator/rules/nfe-cancellation.ts';
import { endpointMutants, mutant, wrapped, type Mutant, endpointMutant } from './mutant.ts';

const { answered, changed, replied } = endpointMutants('nfe-cancellation');

/** Finds invoices to cancel in the first company that one of an id is cancelled in. */
function firstCompanyOnly(): Mutant {
  const first = new Map<string, string>();
  return changed('first-company-only', ['nfe-cancellation.found-by-id'], (request, context, answer) => {
    const nfeId = request.path.split('/').at(-1) ?? '';
    const path = first.get(nfeId) ?? request.path;
    first.set(nfeId, path);
    if (path === request.path) return answer(request, context);
    return { status: 404, body: [{ codigo: 'X', mensagem: 'não encontrada' }] };
  });
}

/** The same path with its last segment in lower case. */
function withLowerId(path: string): string {
  const end = path.lastIndexOf('/');
  return path.slice(0, end) + path.slice(end).toLowerCase();
}

/** Cancels the first alone, of the companies of an application or of the invoices of a company, and says so of all. */
function forgottenBut(first: 'company' | 'invoice'): Mutant {
  const known = new Map<string | undefined, string>();
  return changed(
    `forgotten-but-in-the-first-${first}`,
    ['nfe-cancellation.status-becomes-cancelada'],
    (request, context, answer) => {
      const [company = '', , nfeId = ''] = request.path.split('/').slice(-3);
      const [whole, one] = first === 'company' ? [context.application?.appKey, company] : [company, nfeId];
      const earliest = known.get(whole) ?? one;
      known.set(whole, earliest);
      return earliest === one ? answer(request, context) : { status: 200 };
    },
  );
}

const lateTakenForDone = endpointMutant(
  'nfe-cancellation.late-taken-for-done',
  ['nfe-cancellation.status-becomes-cancelada'],
  'nfe-cancellation',
  async (request, context, answer) => {
    const reply = await answer(request, context);
    return JSON.stringify(reply.body ?? '').includes('SEFAZ-501') ? { status: 200 } : reply;
  },
);

const lateCancellation = endpointMutant(
  'nfe-cancellation.late-refused-with-409',
  ['nfe-cancellation.error-array'],
  'nfe-cancellation',
  async (request, context, answer) => {
    const reply = await answer(request, context);
    return JSON.stringify(reply.body ?? '').includes('SEFAZ-501') ? { ...reply, status: 409 } : reply;
  },
);

const escapedCancellation = endpointMutant(
  'nfe-cancellation.escaped-id-unknown',
  ['nfe-cancellation.found-by-id'],
  'nfe-cancellation',
  (request, context, answer) =>
    answer(request.path.includes('%') ? { ...request, path: `${request.path}x` } : request, context),
);

/** Wrong cancellations. */
export const nfeCancellationMutants: readonly Mutant[] = [
  replied('as-204', ['nfe-cancellation.status-200'], () => ({ status: 204 })),
  replied('as-202', ['nfe-cancellation.status-200'], () => ({ status: 202 })),
  replied('with-body', ['nfe-cancellation.empty-body'], (reply) => ({
    ...reply,
    body: { status: 'Cancelada' },
  })),
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
  changed('id-in-small-letters', ['nfe-cancellation.found-by-id'], (request, context, answer) => {
    const at = request.path.lastIndexOf('/');
    return answer({ ...request, path: request.path.slice(0, at) + request.path.slice(at).toLowerCase() }, context);
  }),
  lateCancellation,
  lateTakenForDone,
  escapedCancellation,
];
