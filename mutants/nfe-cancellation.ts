import { endpointMutant, mutant, replyMutant, wrapped, type Mutant } from './mutant.ts';

const name = 'nfe-cancellation';

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
