import { put, putToTheTest } from './aim.ts';
import { ofFlaw, ofRightRequest, ofQueriedRequest, ofReason, onlyFor, granted } from './flaws.ts';
import { type ExchangePredicate, type Judgement, predicate } from './predicate.ts';
import { codes } from '../contract/values.ts';
import type { ExchangeRecord } from '../trace/records.ts';
import type { ClauseId } from '../contract/catalogue.ts';
import { signature as signatureClauses } from '../contract/clauses/signature.ts';
import { precedence as precedenceClauses } from '../contract/clauses/precedence.ts';

/** The three headers that every request carries. Sections 4, 5.1 and 7.2. */
export const requiredHeaders: readonly ExchangePredicate[] = [
  ...(
    [
      'required-headers.token-missing',
      'required-headers.timestamp-missing',
      'required-headers.sign-missing',
      'required-headers.several-missing',
      'required-headers.headers-only',
    ] as const
  ).map((clause) => put(clause, ofFlaw(clause))),
  ...putToTheTest(['required-headers.every-endpoint', 'required-headers.name-case-free']),
];

/** The `timestamp` header. Sections 5.1, 7.2 and 8. */
export const timestamp: readonly ExchangePredicate[] = [
  put(
    'timestamp.server-time-accepted',
    ofRightRequest((code) => code === String(codes.timestampInvalid.code)),
  ),
  ...(['timestamp.past-refused', 'timestamp.future-refused'] as const).map((clause) => put(clause, ofFlaw(clause))),
  ...putToTheTest([
    'timestamp.past-accepted',
    'timestamp.future-accepted',
    'timestamp.text-refused',
    'timestamp.milliseconds-refused',
    'timestamp.plain-decimal',
  ]),
];

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
  predicate('token.secret-not-returned', isGivenAway),
];

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
    signatureClauses
      // A clause that binds the service does not say so.
      .filter((clause) => !('binds' in clause))
      .map(({ id }) => id)
      .filter((id) => !seenInPassing.has(id)),
  ),
];

/** Applications and integrators that may not call. Sections 5.3 and 7.2. */
export const application: readonly ExchangePredicate[] = [
  put('application.disabled-refused', onlyFor('application.disabled-refused', codes.applicationDisabled)),
  put('application.pending-refused', onlyFor('application.pending-refused', codes.applicationNotEffective)),
  put('application.rejected-refused', ofReason('application.rejected-refused')),
  put(
    'application.integrator-disabled-refused',
    onlyFor('application.integrator-disabled-refused', codes.integratorDisabled),
  ),
  ...putToTheTest(['application.change-in-force']),
];

/** Subscriptions and their scopes. Sections 4, 5.3 and 7.2. */
export const subscription: readonly ExchangePredicate[] = [
  ...(['subscription.missing-refused', 'subscription.own-scope-missing'] as const).map((clause) =>
    put(clause, ofReason(clause)),
  ),
  put('subscription.own-scope-grants', granted),
  ...putToTheTest(['subscription.any-segment', 'subscription.whole-path', 'subscription.cancellation-shares-query']),
];

/** Which refusal comes first. Sections 4.3, 7.1 and 7.2. */
export const precedence: readonly ExchangePredicate[] = putToTheTest(precedenceClauses.map(({ id }) => id));
