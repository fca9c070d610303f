import { endpointMutant, replyMutant, wrapped, type Mutant } from './mutant.ts';

const name = 'cnpj-lookup';

/** Wrong lookups of a CNPJ. */
export const cnpjLookupMutants: readonly Mutant[] = [
  replyMutant('cnpj-lookup.in-envelope', ['cnpj-lookup.bare-object'], name, wrapped),
  replyMutant('cnpj-lookup.in-array', ['cnpj-lookup.bare-object'], name, (reply) => ({ ...reply, body: [reply.body] })),
  replyMutant('cnpj-lookup.empty-object', ['cnpj-lookup.bare-object'], name, (reply) => ({ ...reply, body: {} })),
  endpointMutant('cnpj-lookup.unknown-as-200', ['cnpj-lookup.unknown'], name, async (request, context, answer) => {
    const reply = await answer(request, context);
    return reply.status === 200 ? reply : { status: 200, body: {} };
  }),
  endpointMutant('cnpj-lookup.cut', ['cnpj-lookup.malformed'], name, (request, context, answer) =>
    answer({ ...request, path: request.path.replace(/(\/\d{14})\d+$/, '$1') }, context),
  ),
  endpointMutant('cnpj-lookup.malformed-as-500', ['cnpj-lookup.malformed'], name, async (request, context, answer) => {
    const reply = await answer(request, context);
    return reply.status === 400 ? { status: 500, body: { code: 1, message: 'NumberFormatException' } } : reply;
  }),
];
