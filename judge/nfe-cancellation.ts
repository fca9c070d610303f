import { empty } from './bare.ts';
import type { ExchangePredicate } from './predicate.ts';
import { refusedWithArray } from './refusals.ts';

/** Answers to a cancellation. Sections 4.1 and 7.3. */
export const nfeCancellation: readonly ExchangePredicate[] = [
  empty('nfe-cancellation.empty-body', 'nfe-cancellation'),
  // A 400 may be for an invoice that is known and can't be cancelled.
  refusedWithArray('nfe-cancellation.unknown-id', 'nfe-cancellation', [404]),
];
