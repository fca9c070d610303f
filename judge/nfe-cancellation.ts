import { isRefusedBy } from './answers.ts';
import { empty, status200 } from './bare.ts';
import type { ExchangePredicate } from './predicate.ts';
import { refusedWithArray } from './refusals.ts';

/** A 400 may be for an invoice that is known and can't be cancelled. */
const unknownId = refusedWithArray('nfe-cancellation.unknown-id', 'nfe-cancellation', [404]);
const byArray = refusedWithArray('nfe-cancellation.error-array', 'nfe-cancellation', [400]);

const errorArray: ExchangePredicate = {
  clause: 'nfe-cancellation.error-array',
  judge(record) {
    // Of one that was sent again nobody knows what became of it before: cancelling twice may be refused in any way.
    if (!record.isResent && isRefusedBy(record, 'nfe-cancellation', [409, 422]))
      return { expected: '400 or 404 and an array of errors', actual: String(record.status) };
    return byArray.judge(record) ?? (unknownId.judge(record) === 'holds' ? 'holds' : undefined);
  },
};

/** Answers to a cancellation. Sections 4.1 and 7.3. */
export const nfeCancellation: readonly ExchangePredicate[] = [
  status200('nfe-cancellation.status-200', 'nfe-cancellation'),
  empty('nfe-cancellation.empty-body', 'nfe-cancellation'),
  errorArray,
  unknownId,
];
