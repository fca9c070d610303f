import type { EndpointName } from '../contract/endpoints.ts';
import { codeMessage, errorArray } from '../schemas/messages.ts';
import { validator } from '../schemas/validate.ts';
import type { ExchangeRecord } from '../trace/records.ts';
import { isAcceptedBy, isRefusedBy } from './answers.ts';
import { judged, type ExchangePredicate, type Judgement } from './predicate.ts';

const faultsOfArray = validator(errorArray);
const faultsOfCodeMessage = validator(codeMessage);

/** Judges how issuance, query or cancellation refused with one of these statuses: by an array. Section 7.3. */
export function refusedWithArray(
  clause: ExchangePredicate['clause'],
  name: EndpointName,
  statuses: readonly number[],
): ExchangePredicate {
  return {
    clause,
    judge(record) {
      if (!isRefusedBy(record, name, statuses)) return undefined;
      const faults = faultsOfArray(record.json);
      return judged(faults.length === 0, () => ({
        expected: 'an array of objects with codigo and mensagem',
        actual: faults.join('; '),
      }));
    },
  };
}

/** Judges how a verification or a lookup refused with one of these statuses: by a code and a message. Section 7.3. */
export function codeAndMessage(record: ExchangeRecord, name: EndpointName, statuses: readonly number[]): Judgement {
  if (!isRefusedBy(record, name, statuses)) return undefined;
  const faults = faultsOfCodeMessage(record.json);
  return judged(faults.length === 0, () => ({
    expected: 'an object with code and message, no platform envelope',
    actual: faults.join('; '),
  }));
}

/** That a lookup of what is not known, where it says so, says it by a code and a message. */
export function unknown(
  clause: ExchangePredicate['clause'],
  name: EndpointName,
  isWellFormed: (record: ExchangeRecord) => boolean,
): ExchangePredicate {
  return {
    clause,
    judge: (record) => (isWellFormed(record) ? codeAndMessage(record, name, [404]) : undefined),
  };
}

/** That a lookup of what certainly is no number of that kind is not accepted, and refused by a code and a message. */
export function malformed(
  clause: ExchangePredicate['clause'],
  name: EndpointName,
  isMalformed: (record: ExchangeRecord) => boolean,
): ExchangePredicate {
  return {
    clause,
    judge(record) {
      if (record.endpoint?.name !== name || !isMalformed(record)) return undefined;
      if (!isAcceptedBy(record, name)) return codeAndMessage(record, name, [400, 404, 422]);
      return { expected: '4xx', actual: String(record.status) };
    },
  };
}
