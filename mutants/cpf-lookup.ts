import { endpointMutants, wrapped, type Mutant } from './mutant.ts';

const { answered, replied } = endpointMutants('cpf-lookup');

/** Wrong lookups of a CPF. */
export const cpfLookupMutants: readonly Mutant[] = [
  replied('in-envelope', ['cpf-lookup.bare-object'], wrapped),
  replied('in-array', ['cpf-lookup.bare-object'], (reply) => ({ ...reply, body: [reply.body] })),
  replied('empty-object', ['cpf-lookup.bare-object'], (reply) => ({ ...reply, body: {} })),
  answered('unknown-as-200', ['cpf-lookup.unknown'], (reply) =>
    reply.status === 200 ? reply : { status: 200, body: {} },
  ),
  answered('leap-days-as-500', ['errors.own-statuses'], (reply, { path }) =>
    /\/2902\d{4}$/.test(path) ? { status: 500, body: { code: 1, message: 'DateTimeException' } } : reply,
  ),
  answered('impossible-dates-as-500', ['errors.own-statuses'], (reply, { path }) =>
    /\/3102\d{4}$/.test(path) ? { status: 500, body: { error: 'DateTimeException' } } : reply,
  ),
  answered('malformed-as-500', ['cpf-lookup.malformed'], (reply) =>
    reply.status === 400 ? { status: 500, body: { code: 1, message: 'NumberFormatException' } } : reply,
  ),
];
