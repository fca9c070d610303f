import type { StatedClause } from '../clause.ts';

/** What the contract says of cancelling an NF-e. Sections 2.2, 3.1, 4.1, 4.2, 7.3. */
export const nfeCancellation = [
  {
    id: 'nfe-cancellation.status-200',
    section: '4.1',
    statement: 'The cancellation of an authorised invoice gets 200.',
    needs: ['empresa', 'authorised-issuance'],
  },
  {
    id: 'nfe-cancellation.empty-body',
    section: '4.1',
    statement: 'The answer to a cancellation has an empty body: zero bytes.',
    needs: ['empresa', 'authorised-issuance'],
    buildsOn: ['nfe-cancellation.status-200'],
  },
  {
    id: 'nfe-cancellation.found-by-id',
    section: '4.2',
    statement: 'The `id` sent at issuance is the `nfeId` that cancels the invoice, whatever its shape.',
    needs: ['empresa', 'authorised-issuance'],
    buildsOn: ['nfe-cancellation.status-200'],
  },
  {
    id: 'nfe-cancellation.status-becomes-cancelada',
    section: '3.1',
    level: 'implied',
    statement: 'The status of a cancelled invoice becomes `Cancelada`.',
    needs: ['empresa', 'authorised-issuance'],
    buildsOn: ['nfe-cancellation.status-200', 'nfe-query.bare-object'],
  },
  {
    id: 'nfe-cancellation.unknown-id',
    section: '7.3',
    statement: 'A cancellation of an id that the company has no invoice with gets 400 or 404 and the error array.',
    needs: ['empresa'],
    buildsOn: ['nfe-cancellation.error-array'],
  },
  {
    id: 'nfe-cancellation.error-array',
    section: '7.3',
    statement: 'A cancellation is refused with 400 or 404 and an array of objects with `codigo` and `mensagem`.',
    needs: ['empresa'],
  },
  {
    id: 'nfe-cancellation.not-by-other-integrator',
    section: '2.2',
    level: 'implied',
    statement: "An application of another integrator can't cancel an invoice.",
    needs: ['chosen-application', 'empresa', 'authorised-issuance'],
    buildsOn: ['nfe-cancellation.status-200'],
  },
] as const satisfies readonly StatedClause[];
