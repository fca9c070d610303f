import type { StatedClause } from '../clause.ts';

/** What the contract says of looking up a CPF. Sections 4.1, 4.2, 7.3. */
export const cpfLookup = [
  {
    id: 'cpf-lookup.bare-object',
    section: '4.1',
    statement: 'A known CPF with its birth date gets 200 and a bare object, without a platform envelope.',
    needs: ['known-cpf'],
  },
  {
    id: 'cpf-lookup.unknown',
    section: '7.3',
    statement: 'An unknown CPF gets 4xx with `{code, message}`.',
    needs: ['unknown-cpf'],
  },
  {
    id: 'cpf-lookup.malformed',
    section: '7.3',
    statement: 'What is no CPF or no date gets 4xx with `{code, message}`.',
  },
] as const satisfies readonly StatedClause[];
