import { codes } from '../contract/codes.ts';
import { put, putToTheTest } from './aim.ts';
import { ofFlaw, ofRightRequest } from './flaws.ts';
import type { ExchangePredicate } from './predicate.ts';

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
