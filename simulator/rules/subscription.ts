import type { CodeName } from '../../contract/values.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Application } from '../model.ts';
import { findRoute } from './route.ts';

/** What an application must be subscribed to. Sections 4 and 5.3. */
export interface SubscriptionRules {
  /** What one of the subscribed scopes has to match: the path in lower case. `undefined` where no endpoint is addressed. */
  readonly scopeOf: (method: string, path: string) => string | undefined;
  /** Whether a subscribed scope matches what a request needs. */
  readonly matches: (subscribed: string, needed: string) => boolean;
  /** Whether an application may address what the request does, by these rules. */
  readonly isSubscribed: (application: Application, request: RequestFacts, rules: SubscriptionRules) => boolean;
  readonly code: CodeName;
}

export const subscriptionRules: SubscriptionRules = {
  // Without the method: query and cancellation share their path, so they share its scope.
  scopeOf: (method, path) => (findRoute(method, path) ? path.toLowerCase() : undefined),
  matches: matchesScope,
  isSubscribed({ subscriptions }, { method, path }, { scopeOf, matches }) {
    if (subscriptions === 'all') return true;
    const needed = scopeOf(method, path);
    return needed === undefined || subscriptions.some((subscribed) => matches(subscribed, needed));
  },
  code: 'notSubscribed',
};

/** Compares segment by segment, to the end; `{xx}` stands for any one that is not empty. */
function matchesScope(subscribed: string, needed: string): boolean {
  const pattern = subscribed.split('/');
  const segments = needed.split('/');
  return (
    pattern.length === segments.length &&
    segments.every((segment, index) => (pattern[index] === '{xx}' ? segment !== '' : segment === pattern[index]))
  );
}
