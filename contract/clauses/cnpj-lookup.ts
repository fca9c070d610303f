import type { StatedClause } from '../clause.ts';

/** What the contract says of looking up a CNPJ. Sections 4.1, 4.2, 7.3. */
export const cnpjLookup = [
  {
    id: 'cnpj-lookup.bare-object',
    section: '4.1',
    statement: 'A known CNPJ gets 200 and a bare object, without a platform envelope.',
    needs: ['known-cnpj'],
  },
  {
    id: 'cnpj-lookup.unknown',
    section: '7.3',
    statement: 'An unknown CNPJ gets 4xx with `{code, message}`.',
    needs: ['unknown-cnpj'],
  },
  {
    id: 'cnpj-lookup.malformed',
    section: '7.3',
    statement: 'What is no CNPJ gets 4xx with `{code, message}`.',
  },
] as const satisfies readonly StatedClause[];
