import type { StatedClause } from '../clause.ts';

/** What the contract says of registering a company. Sections 2.2, 4.1, 4.2. */
export const empresaRegistration = [
  {
    id: 'empresa-registration.empresa-id',
    section: '4.1',
    statement: 'The answer to a registration is JSON that includes the `empresaId` of the company, a string.',
    needs: ['empresa-registration'],
  },
  {
    id: 'empresa-registration.bare',
    section: '4.2',
    statement: 'The answer to a registration is bare, without a platform envelope.',
    needs: ['empresa-registration'],
  },
  {
    id: 'empresa-registration.status-200',
    section: '7.1',
    level: 'implied',
    statement: 'A registration is answered with 200.',
    needs: ['empresa-registration'],
  },
  {
    id: 'empresa-registration.id-names-company',
    section: '2.2',
    statement: 'The `empresaId` of the answer is the path variable under which the company is addressed.',
    needs: ['empresa-registration', 'accepted-issuance'],
    buildsOn: ['empresa-registration.empresa-id'],
  },
] as const satisfies readonly StatedClause[];
