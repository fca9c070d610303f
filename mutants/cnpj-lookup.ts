import { endpointMutants, wrapped, type Mutant } from './mutant.ts';

const { answered, changed, replied } = endpointMutants('cnpj-lookup');

/** Wrong lookups of a CNPJ. */
export const cnpjLookupMutants: readonly Mutant[] = [
  replied('in-envelope', ['cnpj-lookup.bare-object'], wrapped),
  replied('in-array', ['cnpj-lookup.bare-object'], (reply) => ({ ...reply, body: [reply.body] })),
  replied('empty-object', ['cnpj-lookup.bare-object'], (reply) => ({ ...reply, body: {} })),
  answered('unknown-as-200', ['cnpj-lookup.unknown'], (reply) =>
    reply.status === 200 ? reply : { status: 200, body: {} },
  ),
  changed('cut', ['cnpj-lookup.malformed'], (request, context, answer) =>
    answer({ ...request, path: request.path.replace(/(\/\d{14})\d+$/, '$1') }, context),
  ),
  answered('malformed-as-500', ['cnpj-lookup.malformed'], (reply) =>
    reply.status === 400 ? { status: 500, body: { code: 1, message: 'NumberFormatException' } } : reply,
  ),
];
