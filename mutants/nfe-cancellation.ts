import { endpointMutant, mutant, replyMutant, wrapped, type Mutant } from './mutant.ts';

const name = 'nfe-cancellation';

/** Finds invoices to cancel in the first company that one of an id is cancelled in. */
function firstCompanyOnly(): Mutant {
  const first = new Map<string, string>();
  return endpointMutant(
    'nfe-cancellation.first-company-only',
    ['nfe-cancellation.found-by-id'],
    name,
    (request, context, answer) => {
      const nfeId = request.path.split('/').at(-1) ?? '';
      const path = first.get(nfeId) ?? request.path;
      first.set(nfeId, path);
      if (path === request.path) return answer(request, context);
      return { status: 404, body: [{ codigo: 'X', mensagem: 'não encontrada' }] };
    },
  );
}

/** Cancels in the first company of an application alone, and says so of all. */
function forgottenElsewhere(): Mutant {
  const first = new Map<string | undefined, string>();
  return endpointMutant(
    'nfe-cancellation.forgotten-in-the-second-company',
    ['nfe-cancellation.status-becomes-cancelada'],
    name,
    (request, context, answer) => {
      const company = request.path.split('/').at(-3) ?? '';
      const known = first.get(context.application?.appKey) ?? company;
      first.set(context.application?.appKey, known);
      return known === company ? answer(request, context) : { status: 200 };
    },
  );
}

/** Wrong cancellations. */
export const nfeCancellationMutants: readonly Mutant[] = [
  replyMutant('nfe-cancellation.as-204', ['nfe-cancellation.status-200'], name, () => ({ status: 204 })),
  replyMutant('nfe-cancellation.as-202', ['nfe-cancellation.status-200'], name, () => ({ status: 202 })),
  replyMutant('nfe-cancellation.with-body', ['nfe-cancellation.empty-body'], name, (reply) => ({
    ...reply,
    body: { status: 'Cancelada' },
  })),
  replyMutant('nfe-cancellation.in-envelope', ['nfe-cancellation.empty-body'], name, wrapped),
  mutant('nfe-cancellation.forgotten', ['nfe-cancellation.status-becomes-cancelada'], 'nfeCancellation', {
    cancel: () => undefined,
  }),
  endpointMutant(
    'nfe-cancellation.unknown-as-200',
    ['nfe-cancellation.unknown-id'],
    name,
    async (request, context, answer) => {
      const reply = await answer(request, context);
      return reply.status === 404 ? { status: 200 } : reply;
    },
  ),
  ...[409, 422].map((status) =>
    endpointMutant(
      `nfe-cancellation.refused-as-${status}`,
      ['nfe-cancellation.error-array'],
      name,
      async (...asked) => {
        const [request, context, answer] = asked;
        const reply = await answer(request, context);
        return reply.status === 400 ? { ...reply, status } : reply;
      },
    ),
  ),
  endpointMutant(
    'nfe-cancellation.unknown-as-422',
    ['nfe-cancellation.error-array', 'nfe-cancellation.unknown-id'],
    name,
    async (...asked) => {
      const [request, context, answer] = asked;
      const reply = await answer(request, context);
      return reply.status === 404 ? { ...reply, status: 422 } : reply;
    },
  ),
  firstCompanyOnly(),
  forgottenElsewhere(),
  endpointMutant(
    'nfe-cancellation.id-in-small-letters',
    ['nfe-cancellation.found-by-id'],
    name,
    (request, context, answer) => {
      const at = request.path.lastIndexOf('/');
      return answer({ ...request, path: request.path.slice(0, at) + request.path.slice(at).toLowerCase() }, context);
    },
  ),
];
