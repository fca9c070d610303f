import { put, putToTheTest } from './aim.ts';
import { ofFlaw } from './flaws.ts';
import type { ExchangePredicate } from './predicate.ts';

/** The three headers that every request carries. Sections 4, 5.1 and 7.2. */
export const requiredHeaders: readonly ExchangePredicate[] = [
  ...(
    [
      'required-headers.token-missing',
      'required-headers.timestamp-missing',
      'required-headers.sign-missing',
      'required-headers.several-missing',
      'required-headers.headers-only',
    ] as const
  ).map((clause) => put(clause, ofFlaw(clause))),
  ...putToTheTest(['required-headers.every-endpoint', 'required-headers.name-case-free']),
];
