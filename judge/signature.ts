import { signature as clauses } from '../contract/clauses/signature.ts';
import { codes } from '../contract/codes.ts';
import { put, putToTheTest } from './aim.ts';
import { ofFlaw, ofRightRequest } from './flaws.ts';
import type { ExchangePredicate } from './predicate.ts';

const ofOthers = new Set([codes.timestampInvalid.code, codes.tokenInvalid.code].map(String));

/** `sign`. Sections 4, 5.1, 5.2 and 7.2. */
export const signature: readonly ExchangePredicate[] = [
  // A code that has a clause of its own breaks that one.
  put(
    'signature.accepted',
    ofRightRequest((code) => !ofOthers.has(code)),
  ),
  put('signature.mismatch-refused', ofFlaw('signature.mismatch-refused')),
  ...putToTheTest(
    clauses
      .filter(({ binds }) => binds === 'service')
      .map(({ id }) => id)
      .filter((id) => id !== 'signature.accepted' && id !== 'signature.mismatch-refused'),
  ),
];
