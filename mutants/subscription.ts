import { findRoute } from '../simulator/rules/route.ts';
import { subscriptionRules } from '../simulator/rules/subscription.ts';
import { guises, ruleMutants, type Mutant } from './mutant.ts';

const ruled = ruleMutants('subscription', 'subscription');

const { isSubscribed, matches, scopeOf } = subscriptionRules;

/** Leaves one path out of the check. */
function unchecked(what: string, pattern: RegExp, breaks: Mutant['breaks']): Mutant {
  return ruled(`${what}-unchecked`, breaks, {
    isSubscribed: (application, request, rules) =>
      pattern.test(request.path) || isSubscribed(application, request, rules),
  });
}

/** Wrong ways to judge subscriptions. */
export const subscriptionMutants: readonly Mutant[] = [
  ruled('query-in-scope', ['subscription.any-segment'], {
    isSubscribed: (application, request, rules) =>
      isSubscribed(application, request, rules) && (application.subscriptions === 'all' || request.query === undefined),
  }),
  ...guises.map(([what, isSo]) =>
    ruled(`unchecked-${what}`, ['subscription.missing-refused', 'subscription.own-scope-missing'], {
      isSubscribed: (application, request, rules) => isSo(request) || isSubscribed(application, request, rules),
    }),
  ),
  unchecked('everything', /./, ['subscription.missing-refused', 'subscription.own-scope-missing']),
  unchecked('echo', /echo$/, ['subscription.missing-refused', 'subscription.own-scope-missing']),
  unchecked('xml', /xml$/, ['subscription.missing-refused', 'subscription.own-scope-missing']),
  unchecked('certificate', /certificadoDigital$/, ['subscription.missing-refused', 'subscription.own-scope-missing']),
  ruled('wrong-code', ['subscription.missing-refused', 'subscription.own-scope-missing'], {
    code: 'applicationDisabled',
  }),
  ruled('any-grants-all', ['subscription.own-scope-missing', 'subscription.whole-path'], {
    isSubscribed: ({ subscriptions }) => subscriptions.length > 0,
  }),
  ruled('first-scope-only', ['subscription.own-scope-grants'], {
    isSubscribed: ({ subscriptions, ...rest }, request, rules) =>
      isSubscribed(
        { ...rest, subscriptions: subscriptions === 'all' ? subscriptions : subscriptions.slice(0, 1) },
        request,
        rules,
      ),
  }),
  ruled('variable-of-several-segments', ['subscription.whole-path'], {
    matches: (subscribed, needed) => {
      const pieces = subscribed.split('{xx}');
      const isAround = needed.startsWith(pieces.at(0) ?? '') && needed.endsWith(pieces.at(-1) ?? '');
      return pieces.length > 1 ? isAround && pieces.every((piece) => needed.includes(piece)) : subscribed === needed;
    },
  }),
  ruled('scope-as-prefix', ['subscription.whole-path'], {
    matches: (subscribed, needed) => {
      const length = subscribed.split('/').length;
      return matches(subscribed, needed.split('/').slice(0, length).join('/'));
    },
  }),
  ruled('digits-only', ['subscription.any-segment', 'subscription.own-scope-grants'], {
    matches: (subscribed, needed) => {
      const segments = needed.split('/');
      const isDigits = segments.map((segment) => /^\d+$/.test(segment));
      return matches(subscribed, needed) && subscribed.split('/').every((one, at) => one !== '{xx}' || isDigits[at]);
    },
  }),
  ruled('words-only', ['subscription.any-segment'], {
    isSubscribed: (application, request, rules) =>
      isSubscribed(application, request, rules) && request.path.split('/').every((segment) => /^[\w-]*$/.test(segment)),
  }),
  ruled('with-case', ['subscription.own-scope-grants', 'subscription.any-segment'], {
    scopeOf: (method, path) => (findRoute(method, path) ? path : undefined),
    matches: (subscribed, needed) => matches(subscribed.replaceAll('{xx}', '{xx}'), needed) && !/[A-Z]/.test(needed),
  }),
  ruled('cancellation-by-itself', ['subscription.cancellation-shares-query'], {
    scopeOf: (method, path) => (method === 'DELETE' ? `${scopeOf(method, path)}/cancelamento` : scopeOf(method, path)),
  }),
];
