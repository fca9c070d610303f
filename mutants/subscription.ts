import { findRoute } from '../simulator/rules/route.ts';
import { subscriptionRules } from '../simulator/rules/subscription.ts';
import { mutant, type Mutant } from './mutant.ts';

const { isSubscribed, matches, scopeOf } = subscriptionRules;

/** Leaves one path out of the check. */
function unchecked(what: string, pattern: RegExp, breaks: Mutant['breaks']): Mutant {
  return mutant(`subscription.${what}-unchecked`, breaks, 'subscription', {
    isSubscribed: (application, request, rules) =>
      pattern.test(request.path) || isSubscribed(application, request, rules),
  });
}

/** Wrong ways to judge subscriptions. */
export const subscriptionMutants: readonly Mutant[] = [
  unchecked('everything', /./, ['subscription.missing-refused', 'subscription.own-scope-missing']),
  unchecked('echo', /echo$/, ['subscription.missing-refused', 'subscription.own-scope-missing']),
  unchecked('xml', /xml$/, ['subscription.missing-refused', 'subscription.own-scope-missing']),
  unchecked('certificate', /certificadoDigital$/, ['subscription.missing-refused', 'subscription.own-scope-missing']),
  mutant(
    'subscription.wrong-code',
    ['subscription.missing-refused', 'subscription.own-scope-missing'],
    'subscription',
    {
      code: 'applicationDisabled',
    },
  ),
  mutant('subscription.any-grants-all', ['subscription.own-scope-missing', 'subscription.whole-path'], 'subscription', {
    isSubscribed: ({ subscriptions }) => subscriptions.length > 0,
  }),
  mutant('subscription.first-scope-only', ['subscription.own-scope-grants'], 'subscription', {
    isSubscribed: ({ subscriptions, ...rest }, request, rules) =>
      isSubscribed(
        { ...rest, subscriptions: subscriptions === 'all' ? subscriptions : subscriptions.slice(0, 1) },
        request,
        rules,
      ),
  }),
  mutant('subscription.variable-of-several-segments', ['subscription.whole-path'], 'subscription', {
    matches: (subscribed, needed) => {
      const pieces = subscribed.split('{xx}');
      const isAround = needed.startsWith(pieces.at(0) ?? '') && needed.endsWith(pieces.at(-1) ?? '');
      return pieces.length > 1 ? isAround && pieces.every((piece) => needed.includes(piece)) : subscribed === needed;
    },
  }),
  mutant('subscription.scope-as-prefix', ['subscription.whole-path'], 'subscription', {
    matches: (subscribed, needed) => {
      const length = subscribed.split('/').length;
      return matches(subscribed, needed.split('/').slice(0, length).join('/'));
    },
  }),
  mutant('subscription.digits-only', ['subscription.any-segment', 'subscription.own-scope-grants'], 'subscription', {
    matches: (subscribed, needed) => {
      const segments = needed.split('/');
      const isDigits = segments.map((segment) => /^\d+$/.test(segment));
      return matches(subscribed, needed) && subscribed.split('/').every((one, at) => one !== '{xx}' || isDigits[at]);
    },
  }),
  mutant('subscription.words-only', ['subscription.any-segment'], 'subscription', {
    isSubscribed: (application, request, rules) =>
      isSubscribed(application, request, rules) && request.path.split('/').every((segment) => /^[\w-]*$/.test(segment)),
  }),
  mutant('subscription.with-case', ['subscription.own-scope-grants', 'subscription.any-segment'], 'subscription', {
    scopeOf: (method, path) => (findRoute(method, path) ? path : undefined),
    matches: (subscribed, needed) => matches(subscribed.replaceAll('{xx}', '{xx}'), needed) && !/[A-Z]/.test(needed),
  }),
  mutant('subscription.cancellation-by-itself', ['subscription.cancellation-shares-query'], 'subscription', {
    scopeOf: (method, path) => (method === 'DELETE' ? `${scopeOf(method, path)}/cancelamento` : scopeOf(method, path)),
  }),
];
