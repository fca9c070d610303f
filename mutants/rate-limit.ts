import type { RequestFacts } from '../simulator/http/request-facts.ts';
import type { Application } from '../simulator/model.ts';
import { envelopeRules } from '../simulator/rules/envelope.ts';
import { rateLimitRules } from '../simulator/rules/rate-limit.ts';
import { findRoute } from '../simulator/rules/route.ts';
import { firstOf, guises, ruleMutants, mutant, type Mutant, stageMutant } from './mutant.ts';

const ruled = ruleMutants('rate-limit', 'rateLimit');

const { isExceeded } = rateLimitRules;

/** A window begins anew with each request, so that it never ends while there are some: a counter that lives so long after its last use. */
function renewed(): Partial<typeof rateLimitRules> {
  const latest = new Map<string, number>();
  let counted = '';
  return {
    counts: (_, { appKey }) => {
      counted = appKey;
      return true;
    },
    isWindowOver(startMs, nowMs, windowSeconds) {
      const sinceMs = latest.get(counted) ?? startMs;
      latest.set(counted, nowMs);
      return nowMs - sinceMs >= windowSeconds * 1000;
    },
  };
}

/** Counts under other names than the application's. */
function countedBy(what: string, nameOf: (request: RequestFacts, application: Application) => string): Mutant {
  return stageMutant(
    `rate-limit.${what}`,
    ['rate-limit.within-limit-served'],
    'rate-limit',
    (request, context, original) => {
      const { application } = context;
      if (!application) return original.answer(request, context);
      const appKey = nameOf(request, application);
      return original.answer(request, { ...context, application: { ...application, appKey } });
    },
  );
}

/** Knows the limit of an application by the secret that it called with first. */
function keptBySecret(): Mutant {
  const first = firstOf<string>();
  return stageMutant(
    'rate-limit.lost-in-a-rotation',
    ['rate-limit.refused'],
    'rate-limit',
    (request, context, original) => {
      const { application, sent } = context;
      const isKnown = !application || first(application.appKey, sent.token) === sent.token;
      return isKnown ? original.answer(request, context) : undefined;
    },
  );
}

/** Wrong rate limits. */
export const rateLimitMutants: readonly Mutant[] = [
  ruled('never', ['rate-limit.refused', 'rate-limit.within-limit-served'], { isExceeded: () => false }),
  ruled('wrong-code', ['rate-limit.refused'], { code: 'notSubscribed' }),
  mutant('rate-limit.as-503', ['rate-limit.refused'], 'envelope', {
    status: (refusal) => (refusal.status === 429 ? 503 : envelopeRules.status(refusal)),
  }),
  ruled('one-more', ['rate-limit.within-limit-served'], { isExceeded: (count, limit) => isExceeded(count, limit + 1) }),
  ruled('only-up-to-127', ['rate-limit.refused'], {
    isExceeded: (count, limit) => limit < 128 && isExceeded(count, limit),
  }),
  keptBySecret(),
  ruled('one-less', ['rate-limit.within-limit-served'], { isExceeded: (count, limit) => isExceeded(count, limit - 1) }),
  ruled('reads-unlimited', ['rate-limit.refused'], { counts: ({ method }) => method !== 'GET' }),
  ruled('for-ever', ['rate-limit.served-again'], { isWindowOver: () => false }),
  ...guises.map(([what, isSo]) =>
    ruled(`unlimited-${what}`, ['rate-limit.refused'], { counts: (request) => !isSo(request) }),
  ),
  ruled('window-of-a-minute', ['rate-limit.refused', 'rate-limit.served-again'], {
    isWindowOver: (startMs, nowMs) => nowMs - startMs >= 60_000,
  }),
  ruled('renewed-by-each-request', ['rate-limit.within-limit-served'], renewed()),
  countedBy('per-endpoint', ({ method, path }, { appKey }) => {
    return `${appKey} ${findRoute(method, path)?.endpoint.name}`;
  }),
  countedBy('per-address', () => '127.0.0.1'),
];
