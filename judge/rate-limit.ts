import { codes } from '../contract/codes.ts';
import { codeOf, isPlatformCode } from './answers.ts';
import { judged, type ExchangePredicate } from './predicate.ts';

/** Refusals beyond the rate limit. Section 7.2. */
export const rateLimit: readonly ExchangePredicate[] = [
  {
    clause: 'rate-limit.refused',
    judge(record) {
      const code = codeOf(record);
      if (record.status !== 429 || !record.endpoint || !isPlatformCode(code)) return undefined;
      return judged(code === String(codes.rateLimited.code), () => ({
        expected: `429, code ${codes.rateLimited.code}`,
        actual: `429, code ${code}`,
      }));
    },
  },
];
