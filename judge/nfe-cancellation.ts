import { empty, status200 } from './bare.ts';
import type { ExchangePredicate } from './predicate.ts';
import { refusedWithArray } from './refusals.ts';

/** Answers to a cancellation. Sections 4.1 and 7.3. */
export const nfeCancellation: readonly ExchangePredicate[] = [
  status200('nfe-cancellation.status-200', 'nfe-cancellation'),
  empty('nfe-cancellation.empty-body', 'nfe-cancellation'),
  // A 400 may be for an invoice that is known and can't be cancelled.
  refusedWithArray('nfe-cancellation.unknown-id', 'nfe-cancellation', [404]),
];
