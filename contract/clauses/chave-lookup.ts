import type { StatedClause } from '../clause.ts';

/** What the contract says of looking up a chave. Sections 1, 4.1, 4.2, 7.3. */
export const chaveLookup = [
  {
    id: 'chave-lookup.bare',
    section: '4.2',
    statement: 'The answer is bare, without a platform envelope.',
    needs: ['verified-document'],
  },
  {
    id: 'chave-lookup.shape-of-verification',
    section: '4.1',
    statement:
      'The answer has the shape of a verification: `validation.validationStatus` with one of its three values.',
    needs: ['verified-document'],
    needsInstead: ['empresa', 'authorised-issuance'],
    buildsOn: ['chave-lookup.bare'],
  },
  {
    id: 'chave-lookup.reads-latest-verdict',
    section: '1',
    level: 'implied',
    statement: 'The lookup tells the verdict that a verification settled with.',
    needs: ['verified-document', 'rejected-document'],
    buildsOn: ['chave-lookup.shape-of-verification', 'nfe-verification.validation-status'],
  },
  {
    id: 'chave-lookup.no-revalidation',
    section: '4.1',
    level: 'implied',
    statement: 'A lookup has nothing revalidated: with `forceRevalidate: true` it tells what it tells without.',
    needs: ['movable-clock', 'verification-webhook', 'empresa', 'authorised-issuance'],
    buildsOn: ['chave-lookup.shape-of-verification', 'verdict-event.sent-when-settled'],
  },
  {
    id: 'chave-lookup.unknown',
    section: '7.3',
    statement: 'A chave that is not known gets 4xx with `{code, message}`.',
  },
  {
    id: 'chave-lookup.unknown-code',
    section: '7.3',
    level: 'implied',
    statement: 'A chave that is not known gets the code 10015004.',
    buildsOn: ['chave-lookup.unknown'],
  },
  {
    id: 'chave-lookup.malformed',
    section: '7.3',
    statement: 'What is no chave gets 4xx with `{code, message}`.',
  },
] as const satisfies readonly StatedClause[];
