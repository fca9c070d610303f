import type { StatedClause } from '../clause.ts';

/** What the contract says of verifying an XML document. Sections 3.2, 4.1, 4.2, 5.2, 7.3, 8. */
export const nfeVerification = [
  {
    id: 'nfe-verification.bare',
    section: '4.2',
    statement: 'The answer is bare, without a platform envelope.',
    needs: ['verified-document'],
  },
  {
    id: 'nfe-verification.validation-status',
    section: '4.1',
    statement: 'The answer has `validation.validationStatus`: `VALIDATED`, `REJECTED` or `VALIDATION_ERROR`.',
    needs: ['verified-document'],
    needsInstead: ['empresa', 'authorised-issuance'],
    buildsOn: ['nfe-verification.bare'],
  },
  {
    id: 'nfe-verification.sound-document-validated',
    section: '3.2',
    level: 'implied',
    statement: 'A document that is on record as it stands is `VALIDATED`.',
    needs: ['valid-document'],
    buildsOn: ['nfe-verification.validation-status'],
  },
  {
    id: 'nfe-verification.rejection-is-200',
    section: '3.2',
    statement: 'A rejected document is answered with 200 and `REJECTED`.',
    needs: ['rejected-document'],
    buildsOn: ['nfe-verification.validation-status'],
  },
  {
    id: 'nfe-verification.altered-not-validated',
    section: '3.2',
    level: 'implied',
    statement: 'A document that was altered after it was signed is not `VALIDATED`.',
    needs: ['valid-document'],
    buildsOn: ['nfe-verification.sound-document-validated'],
  },
  {
    id: 'nfe-verification.signature-verified',
    section: '3.2',
    level: 'implied',
    statement: 'A document whose signature does not hold is not `VALIDATED`.',
    needs: ['valid-document'],
    buildsOn: ['nfe-verification.altered-not-validated'],
  },
  {
    id: 'nfe-verification.sent-unchanged',
    section: '5.2',
    statement: 'A document with line breaks of any kind is taken as it was sent, though it is signed without them.',
    needs: ['verified-document'],
    buildsOn: ['nfe-verification.validation-status'],
  },
  {
    id: 'nfe-verification.empty-body',
    section: '7.3',
    statement: 'An empty body gets 400 with `{code, message}`.',
  },
  {
    id: 'nfe-verification.too-large',
    section: '8',
    statement: 'A body above 1 MB gets 400 with `{code, message}`.',
    needs: ['verified-document'],
  },
  {
    id: 'nfe-verification.one-megabyte',
    section: '8',
    statement: 'A body of up to 1 MB is taken.',
    needs: ['verified-document'],
    buildsOn: ['nfe-verification.validation-status'],
  },
  {
    id: 'nfe-verification.dtd-refused',
    section: '8',
    statement: 'A document with a DTD gets 400 with `{code, message}`.',
    needs: ['verified-document'],
  },
  {
    id: 'nfe-verification.dtd-word-taken',
    section: '8',
    level: 'implied',
    statement: 'A document that only mentions a DTD, in a comment or a CDATA section, is taken.',
    needs: ['verified-document'],
    buildsOn: ['nfe-verification.validation-status'],
  },
  {
    id: 'nfe-verification.encoding-refused',
    section: '7.3',
    statement: 'A document in an encoding that it does not have gets 400 with `{code, message}`.',
    needs: ['verified-document'],
  },
  {
    id: 'nfe-verification.malformed-refused',
    section: '7.3',
    statement:
      'A document that is not well-formed gets 4xx with `{code, message}`, or a verdict that is not `VALIDATED`.',
  },
  {
    id: 'nfe-verification.without-chave',
    section: '7.3',
    statement: 'A document without a chave gets 4xx with `{code, message}`, or a verdict that is not `VALIDATED`.',
  },
  {
    id: 'nfe-verification.force-revalidate',
    section: '4.1',
    statement: '`forceRevalidate: true` has the tax authority asked anew.',
    needs: ['verification-webhook', 'empresa', 'authorised-issuance'],
    buildsOn: ['verdict-event.status'],
  },
  {
    id: 'nfe-verification.system-error',
    section: '7.3',
    statement: 'A system error gets 500 with `{code, message}`.',
  },
] as const satisfies readonly StatedClause[];
