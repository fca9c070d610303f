import { endpointMutants, type Mutant, reading, wrapped } from './mutant.ts';

/** Wrong lookups of a number in a registry. */
export function numberLookupMutants(name: 'cnpj-lookup' | 'cpf-lookup'): readonly Mutant[] {
  const { answered, replied } = endpointMutants(name);
  return [
    replied('in-envelope', [`${name}.bare-object`], wrapped),
    replied('in-array', [`${name}.bare-object`], (reply) => ({ ...reply, body: [reply.body] })),
    replied('empty-object', [`${name}.bare-object`], (reply) => ({ ...reply, body: {} })),
    answered('unknown-as-200', [`${name}.unknown`], (reply) =>
      reply.status === 200 ? reply : { status: 200, body: {} },
    ),
    answered('unknown-untold-in-chinese', [`${name}.unknown`], (reply, request) =>
      reply.status === 404 && request.headers['language'] === 'zh' ? { ...reply, body: { code: 'unknown' } } : reply,
    ),
    answered('malformed-as-500', [`${name}.malformed`], (reply) =>
      reply.status === 400 ? { status: 500, body: { code: 1, message: 'NumberFormatException' } } : reply,
    ),
  ];
}

/** Wrong lookups of a CNPJ. */
export const cnpjLookupMutants: readonly Mutant[] = [
  ...numberLookupMutants('cnpj-lookup'),
  endpointMutants('cnpj-lookup').changed(
    'cut',
    ['cnpj-lookup.malformed'],
    reading((request) => ({ ...request, path: request.path.replace(/(\/\d{14})\d+$/, '$1') })),
  ),
];
