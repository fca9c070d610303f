import { codes } from '../contract/codes.ts';
import type { ExchangeRecord } from '../trace/records.ts';
import { put, putToTheTest } from './aim.ts';
import { ofFlaw, ofRightRequest } from './flaws.ts';
import type { ExchangePredicate, Judgement } from './predicate.ts';

/** Fewer characters may stand in an answer by chance. */
const shortestSecret = 16;

/** Whether an answer gives away the App Secret that came with its request, which nobody put into the request besides. */
function isGivenAway({ signing, requestHeaders, requestBody, target, headers, body }: ExchangeRecord): Judgement {
  const secret = requestHeaders.get('token') ?? '';
  if (!signing?.isOwnToken || secret.length < shortestSecret) return undefined;
  if (target.includes(secret) || requestBody.includes(secret)) return undefined;
  const isThere = body.includes(secret) || [...headers.values()].some((value) => value.includes(secret));
  return isThere ? { expected: 'an answer without the App Secret', actual: 'the App Secret' } : undefined;
}

/** The `token` header and the App Secret. Sections 2.1, 5.1, 5.2 and 7.2. */
export const token: readonly ExchangePredicate[] = [
  put(
    'token.app-secret-accepted',
    ofRightRequest((code) => code === String(codes.tokenInvalid.code)),
  ),
  ...(['token.unknown-refused', 'token.rotated-refused'] as const).map((clause) => put(clause, ofFlaw(clause))),
  ...putToTheTest(['token.verbatim', 'token.app-key-refused', 'token.new-secret-accepted']),
  { clause: 'token.secret-not-returned', judge: isGivenAway },
];
