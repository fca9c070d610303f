import { codes } from '../contract/codes.ts';
import { codeOf, isPlatformCode } from './answers.ts';
import { put } from './aim.ts';
import { judged, type ExchangePredicate } from './predicate.ts';
import { ofReason } from './standing.ts';

const ofSpentLimit = ofReason('rate-limit.refused');

/** Refusals beyond the rate limit. Section 7.2. */
export const rateLimit: readonly ExchangePredicate[] = [
  put('rate-limit.refused', (record) => {
    const code = codeOf(record);
    if (record.status !== 429 || !record.endpoint || !isPlatformCode(code)) return ofSpentLimit(record);
    return judged(code === String(codes.rateLimited.code), () => ({
      expected: `429, code ${codes.rateLimited.code}`,
      actual: `429, code ${code}`,
    }));
  }),
];
