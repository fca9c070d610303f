import { endpointMutant, replyMutant, wrapped, type Mutant } from './mutant.ts';

const name = 'cpf-lookup';

/** Wrong lookups of a CPF. */
export const cpfLookupMutants: readonly Mutant[] = [
  replyMutant('cpf-lookup.in-envelope', ['cpf-lookup.bare-object'], name, wrapped),
  replyMutant('cpf-lookup.in-array', ['cpf-lookup.bare-object'], name, (reply) => ({ ...reply, body: [reply.body] })),
  replyMutant('cpf-lookup.empty-object', ['cpf-lookup.bare-object'], name, (reply) => ({ ...reply, body: {} })),
  endpointMutant('cpf-lookup.unknown-as-200', ['cpf-lookup.unknown'], name, async (request, context, answer) => {
    const reply = await answer(request, context);
    return reply.status === 200 ? reply : { status: 200, body: {} };
  }),
  endpointMutant('cpf-lookup.malformed-as-500', ['cpf-lookup.malformed'], name, async (request, context, answer) => {
    const reply = await answer(request, context);
    return reply.status === 400 ? { status: 500, body: { code: 1, message: 'NumberFormatException' } } : reply;
  }),
];
