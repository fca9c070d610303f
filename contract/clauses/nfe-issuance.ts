import type { StatedClause } from '../clause.ts';

/** What the contract says of issuing an NF-e. Sections 1, 2.2, 4.1, 4.2, 7.3, 8. */
export const nfeIssuance = [
  {
    id: 'nfe-issuance.status-200',
    section: '4.1',
    statement: 'An issuance that is accepted gets 200.',
    needs: ['empresa', 'accepted-issuance'],
  },
  {
    id: 'nfe-issuance.no-content',
    section: '4.1',
    statement: 'The answer to an accepted issuance has no content: zero bytes.',
    needs: ['empresa', 'accepted-issuance'],
  },
  {
    id: 'nfe-issuance.denial-accepted',
    section: '4.2',
    statement:
      'An issuance that the tax authority will deny is accepted like any other: its outcome is read elsewhere.',
    needs: ['empresa', 'denied-issuance'],
  },
  {
    id: 'nfe-issuance.authorisation-readable',
    section: '1',
    statement: 'That an invoice was authorised can be read through the query.',
    needs: ['empresa', 'authorised-issuance'],
    buildsOn: ['nfe-query.status-known'],
  },
  {
    id: 'nfe-issuance.denial-readable',
    section: '1',
    statement: 'That an invoice was denied can be read through the query.',
    needs: ['empresa', 'denied-issuance'],
    buildsOn: ['nfe-issuance.denial-accepted', 'nfe-query.bare-object'],
  },
  {
    id: 'nfe-issuance.id-unique-in-company',
    section: '2.2',
    statement: 'An `id` that an invoice of the company has already is refused with 400 or 404.',
    needs: ['empresa', 'accepted-issuance'],
  },
  {
    id: 'nfe-issuance.id-free-in-other-company',
    section: '2.2',
    statement: 'An `id` that an invoice of another company has is accepted.',
    needs: ['empresa', 'other-empresa', 'accepted-issuance'],
  },
  {
    id: 'nfe-issuance.id-required',
    section: '4.1',
    statement: 'An issuance without `id` is refused with 400 or 404.',
    needs: ['empresa', 'accepted-issuance'],
  },
  {
    id: 'nfe-issuance.id-string',
    section: '4.1',
    level: 'implied',
    statement: 'An issuance whose `id` is no string is refused with 400 or 404.',
    needs: ['empresa', 'accepted-issuance'],
    buildsOn: ['nfe-issuance.id-required'],
  },
  {
    id: 'nfe-issuance.ambiente-known',
    section: '4.1',
    level: 'implied',
    statement: 'An `ambienteEmissao` other than `Producao` and `Homologacao` is refused with 400 or 404.',
    needs: ['real-issuance', 'empresa', 'accepted-issuance'],
  },
  {
    id: 'nfe-issuance.both-ambientes',
    section: '4.1',
    statement: 'Both `Producao` and `Homologacao` are accepted as `ambienteEmissao`.',
    needs: ['real-issuance', 'empresa', 'accepted-issuance'],
  },
  {
    id: 'nfe-issuance.error-array',
    section: '7.3',
    statement: 'An issuance is refused with 400 or 404 and an array of objects with `codigo` and `mensagem`.',
    needs: ['empresa', 'refused-issuance'],
  },
  {
    id: 'nfe-issuance.unknown-company',
    section: '7.3',
    level: 'implied',
    statement: 'An issuance for a company that does not exist is refused with 400 or 404 and the array.',
    needs: ['authorised-issuance'],
    buildsOn: ['nfe-issuance.error-array'],
  },
  {
    id: 'nfe-issuance.malformed-json',
    section: '7.3',
    statement: 'A body that is no JSON object is refused with 400 or 404 and the array.',
    needs: ['empresa'],
    buildsOn: ['nfe-issuance.error-array'],
  },
  {
    id: 'nfe-issuance.company-of-its-integrator',
    section: '2.2',
    level: 'implied',
    statement: "An integrator can't issue for a company of another one, nor give it a certificate.",
    needs: ['chosen-application', 'empresa', 'accepted-issuance'],
  },
  {
    id: 'nfe-issuance.refused-leaves-nothing',
    section: '4.2',
    level: 'implied',
    statement:
      'What is refused leaves nothing behind: of an issuance no invoice is found or called back, and a company keeps its certificate, an application its address.',
    needs: ['empresa', 'refused-issuance'],
    buildsOn: ['nfe-query.unknown-id'],
  },
] as const satisfies readonly StatedClause[];
