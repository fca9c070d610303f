import { member } from '../schemas/values.ts';
import { isFor, isObject, isTellingError } from './answers.ts';
import { judged, shown, type ExchangePredicate, type Judgement } from './predicate.ts';
import type { ExchangeRecord } from '../trace/records.ts';

/** Judges one field of the platform envelope of a 401 that has one. */
function ofRefusal(
  clause: ExchangePredicate['clause'],
  field: string,
  expected: string,
  fits: (value: unknown) => boolean,
): ExchangePredicate {
  return {
    clause,
    judge(record) {
      if (record.status !== 401 || !isEnvelope(record)) return undefined;
      const value = member(record.json, field);
      return judged(fits(value), () => ({ expected, actual: `${field} is ${shown(value)}` }));
    },
  };
}

/** An object with one of the envelope's own fields: whatever else is wrong with it has clauses of its own. */
function isEnvelope({ json }: ExchangeRecord): boolean {
  return ['success', 'errorType', 'code', 'message'].some((name) => member(json, name) !== undefined);
}

/** Platform envelopes. Sections 2.6 and 7.1. */
export const envelope: readonly ExchangePredicate[] = [
  {
    clause: 'envelope.on-every-401',
    judge(record): Judgement {
      // Of a path of no endpoint, whatever stands before the service may answer.
      if (record.status !== 401 || !(record.endpoint ?? record.retired)) return undefined;
      return judged(isEnvelope(record), () => ({
        expected: 'a platform envelope',
        actual: record.json === undefined ? 'a body that is no JSON' : shown(record.json),
      }));
    },
  },
  ofRefusal('envelope.success-false-on-errors', 'success', 'success is false', (value) => value === false),
  ofRefusal('envelope.error-type', 'errorType', 'errorType is 1', (value) => value === 1),
  ofRefusal('envelope.code-integer', 'code', 'code is an integer', Number.isInteger),
  ofRefusal(
    'envelope.message-text',
    'message',
    'message is a text that is not empty',
    (value) => typeof value === 'string' && value.trim() !== '',
  ),
  {
    clause: 'envelope.data-on-success',
    judge(record) {
      if (!isFor(record, 'echo') || record.status !== 200 || !isObject(record.json)) return undefined;
      if (isTellingError(record.json)) return undefined;
      const data = member(record.json, 'data');
      return judged(isObject(data), () => ({ expected: 'data is an object', actual: `data is ${shown(data)}` }));
    },
  },
];
