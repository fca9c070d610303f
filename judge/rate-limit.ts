import { codes } from '../contract/codes.ts';
import { codeOf, isLetPass, isPlatformCode, summaryOf } from './answers.ts';
import { put } from './aim.ts';
import { judged, type ExchangePredicate } from './predicate.ts';
import { ofReason } from './standing.ts';

const ofSpentLimit = ofReason('rate-limit.refused');

/** Refusals beyond the rate limit. Section 7.2. */
export const rateLimit: readonly ExchangePredicate[] = [
  put('rate-limit.refused', (record) => {
    const code = codeOf(record);
    // What a limit lets pass too much is another clause's; that there is none at all takes more than one request to tell.
    if (isLetPass(record)) return undefined;
    if (record.status !== 429 || !record.endpoint || !isPlatformCode(code)) return ofSpentLimit(record);
    return judged(code === String(codes.rateLimited.code), () => ({
      expected: `429, code ${codes.rateLimited.code}`,
      actual: `429, code ${code}`,
    }));
  }),
  {
    clause: 'rate-limit.within-limit-served',
    judge(record) {
      const { caller, endpoint, status } = record;
      // Of an application that somebody has set its limit is not known.
      if (!endpoint || !caller?.isMade || caller.standing.rateLimit) return undefined;
      return judged(status !== 429 || codeOf(record) !== String(codes.rateLimited.code), () => ({
        expected: 'served: its application has no limit',
        actual: summaryOf(record),
      }));
    },
  },
];
