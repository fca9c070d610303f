import { envelopeRules } from '../simulator/rules/envelope.ts';
import { rateLimitRules } from '../simulator/rules/rate-limit.ts';
import { mutant, type Mutant } from './mutant.ts';

const { isExceeded } = rateLimitRules;

/** Wrong rate limits. */
export const rateLimitMutants: readonly Mutant[] = [
  mutant('rate-limit.never', ['rate-limit.refused', 'rate-limit.within-limit-served'], 'rateLimit', {
    isExceeded: () => false,
  }),
  mutant('rate-limit.wrong-code', ['rate-limit.refused'], 'rateLimit', { code: 'notSubscribed' }),
  mutant('rate-limit.as-503', ['rate-limit.refused'], 'envelope', {
    status: (refusal) => (refusal.status === 429 ? 503 : envelopeRules.status(refusal)),
  }),
  mutant('rate-limit.one-more', ['rate-limit.within-limit-served'], 'rateLimit', {
    isExceeded: (count, limit) => isExceeded(count, limit + 1),
  }),
  mutant('rate-limit.one-less', ['rate-limit.within-limit-served'], 'rateLimit', {
    isExceeded: (count, limit) => isExceeded(count, limit - 1),
  }),
  mutant('rate-limit.reads-unlimited', ['rate-limit.refused'], 'rateLimit', {
    counts: ({ method }) => method !== 'GET',
  }),
  mutant('rate-limit.for-ever', ['rate-limit.served-again'], 'rateLimit', { isWindowOver: () => false }),
];
