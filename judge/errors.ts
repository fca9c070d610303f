import { codes, type PlatformCode } from '../contract/codes.ts';
import { errorEnvelope, limitEnvelope } from '../schemas/messages.ts';
import { validator } from '../schemas/validate.ts';
import type { ExchangeRecord } from '../trace/records.ts';
import { put } from './aim.ts';
import { codeOf, isPlain } from './answers.ts';
import { isSurelyRight } from './flaws.ts';
import { judged, type ExchangePredicate } from './predicate.ts';
import { isRefusedSo } from './standing.ts';

const faultsOfError = validator(errorEnvelope);
const faultsOfLimit = validator(limitEnvelope);

/** Judges the envelope of some refusals. */
function envelopeOf(
  clause: ExchangePredicate['clause'],
  faultsOf: (json: unknown) => readonly string[],
  isOne: (record: ExchangeRecord) => boolean,
): ExchangePredicate {
  return {
    clause,
    judge(record) {
      if (!isOne(record)) return undefined;
      const faults = faultsOf(record.json);
      return judged(faults.length === 0, () => ({
        expected: 'a platform envelope',
        actual: record.json === undefined ? 'a body that is no JSON' : faults.join('; '),
      }));
    },
  };
}

/**
 * Whether it is a refusal with that status and one of the codes that have it, or of who is to be refused so: another 403 or 429 may
 * be somebody else's.
 */
function isRefusal(record: ExchangeRecord, status: number): boolean {
  const known: readonly PlatformCode[] = Object.values(codes);
  if (record.status !== status || !(record.endpoint ?? record.retired)) return false;
  const isExpected = record.json !== undefined && isSurelyRight(record) && isRefusedSo(record, status);
  return isExpected || known.some((refusal) => refusal.status === status && String(refusal.code) === codeOf(record));
}

/** The envelopes of refusals other than 401, and that no session stands in for a signature. Sections 5 and 7.1. */
export const errors: readonly ExchangePredicate[] = [
  envelopeOf('errors.envelope-of-403', faultsOfError, (record) => isRefusal(record, 403)),
  // Whoever answers so on a retired path knows that it is one. Which code it has is another clause.
  envelopeOf(
    'errors.envelope-of-410',
    faultsOfError,
    (record) => record.status === 410 && record.retired !== undefined && isPlain(record.target),
  ),
  envelopeOf('errors.envelope-of-429', faultsOfLimit, (record) => isRefusal(record, 429)),
  put('errors.no-session'),
];
