import type { ClauseId } from '../contract/catalogue.ts';
import { signature as clauses } from '../contract/clauses/signature.ts';
import { codes } from '../contract/codes.ts';
import { put, putToTheTest } from './aim.ts';
import { ofFlaw, ofQueriedRequest, ofRightRequest } from './flaws.ts';
import type { ExchangePredicate } from './predicate.ts';

const ofOthers = new Set([codes.timestampInvalid.code, codes.tokenInvalid.code].map(String));

const seenInPassing: ReadonlySet<ClauseId> = new Set([
  'signature.accepted',
  'signature.mismatch-refused',
  'signature.query-not-signed',
]);

/** `sign`. Sections 4, 5.1, 5.2 and 7.2. */
export const signature: readonly ExchangePredicate[] = [
  // A code that has a clause of its own breaks that one.
  put(
    'signature.accepted',
    ofRightRequest((code) => !ofOthers.has(code)),
  ),
  put('signature.mismatch-refused', ofFlaw('signature.mismatch-refused')),
  put('signature.query-not-signed', ofQueriedRequest),
  ...putToTheTest(
    clauses
      .filter(({ binds }) => binds === 'service')
      .map(({ id }) => id)
      .filter((id) => !seenInPassing.has(id)),
  ),
];
