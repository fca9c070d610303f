import type { StatedClause } from '../clause.ts';

/** What the contract says of giving a company its certificate. Sections 4.1, 4.2. */
export const certificadoAssociation = [
  {
    id: 'certificado-association.multipart-upload',
    section: '4.1',
    statement: 'A certificate is associated by a multipart upload that is signed with an empty body.',
    needs: ['empresa-registration'],
  },
  {
    id: 'certificado-association.bare',
    section: '4.2',
    statement: 'The answer to an association is bare, without a platform envelope.',
    needs: ['empresa-registration'],
    buildsOn: ['certificado-association.multipart-upload'],
  },
  {
    id: 'certificado-association.status-200',
    section: '7.1',
    level: 'implied',
    statement: 'An association is answered with 200.',
    needs: ['empresa-registration'],
    buildsOn: ['certificado-association.multipart-upload'],
  },
] as const satisfies readonly StatedClause[];
