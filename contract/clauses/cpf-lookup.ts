import type { Clause } from '../clause.ts';

/** What the contract says of looking up a CPF. Sections 4.1, 4.2, 7.3. */
export const cpfLookup = [
  {
    id: 'cpf-lookup.bare-object',
    section: '4.1',
    level: 'must',
    binds: 'service',
    statement: 'A known CPF with its birth date gets 200 and a bare object, without a platform envelope.',
    needs: ['known-cpf'],
    buildsOn: ['signature.accepted'],
  },
  {
    id: 'cpf-lookup.unknown',
    section: '7.3',
    level: 'must',
    binds: 'service',
    statement: 'An unknown CPF gets 4xx with `{code, message}`.',
    needs: ['unknown-cpf'],
    buildsOn: ['signature.accepted'],
  },
  {
    id: 'cpf-lookup.malformed',
    section: '7.3',
    level: 'must',
    binds: 'service',
    statement: 'What is no CPF or no date gets 4xx with `{code, message}`.',
    buildsOn: ['signature.accepted'],
  },
] as const satisfies readonly Clause[];
