import type { Clause } from '../clause.ts';

/** What the contract says of looking up a CNPJ. Sections 4.1, 4.2, 7.3. */
export const cnpjLookup = [
  {
    id: 'cnpj-lookup.bare-object',
    section: '4.1',
    level: 'must',
    binds: 'service',
    statement: 'A known CNPJ gets 200 and a bare object, without a platform envelope.',
    needs: ['known-cnpj'],
    buildsOn: ['signature.accepted'],
  },
  {
    id: 'cnpj-lookup.unknown',
    section: '7.3',
    level: 'must',
    binds: 'service',
    statement: 'An unknown CNPJ gets 4xx with `{code, message}`.',
    needs: ['unknown-cnpj'],
    buildsOn: ['signature.accepted'],
  },
  {
    id: 'cnpj-lookup.malformed',
    section: '7.3',
    level: 'must',
    binds: 'service',
    statement: 'What is no CNPJ gets 4xx with `{code, message}`.',
    buildsOn: ['signature.accepted'],
  },
] as const satisfies readonly Clause[];
