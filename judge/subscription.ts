import { put, putToTheTest } from './aim.ts';
import type { ExchangePredicate } from './predicate.ts';
import { granted, ofReason } from './standing.ts';

/** Subscriptions and their scopes. Sections 4, 5.3 and 7.2. */
export const subscription: readonly ExchangePredicate[] = [
  ...(['subscription.missing-refused', 'subscription.own-scope-missing'] as const).map((clause) =>
    put(clause, ofReason(clause)),
  ),
  put('subscription.own-scope-grants', granted),
  ...putToTheTest(['subscription.any-segment', 'subscription.whole-path', 'subscription.cancellation-shares-query']),
];
