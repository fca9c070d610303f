import { promisesOfDelivery, type StatedClause } from '../clause.ts';

/** What the contract says of the encoding of bodies: it knows of none. Sections 4.1, 6.1. */
export const encoding = [
  {
    id: 'encoding.of-answers',
    section: '4.1',
    level: 'implied',
    statement: 'An answer comes in no content coding that was not asked for.',
  },
  {
    id: 'encoding.of-deliveries',
    section: '6.1',
    level: 'implied',
    statement: 'A delivery comes in no content coding.',
    needs: ['callbacks', 'empresa', 'authorised-issuance'],
    buildsOn: promisesOfDelivery,
  },
] as const satisfies readonly StatedClause[];
