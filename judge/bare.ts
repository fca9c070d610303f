import type { EndpointName } from '../contract/endpoints.ts';
import { isAcceptedBy, isEnveloped } from './answers.ts';
import { judged, type ExchangePredicate } from './predicate.ts';

/** That an accepted request gets 200 and no other status of success. */
export function status200(clause: ExchangePredicate['clause'], name: EndpointName): ExchangePredicate {
  return {
    clause,
    judge(record) {
      if (!isAcceptedBy(record, name)) return undefined;
      return judged(record.status === 200, () => ({ expected: '200', actual: String(record.status) }));
    },
  };
}

/** That no platform envelope is around the answer to an accepted request. Section 4.2. */
export function bare(clause: ExchangePredicate['clause'], name: EndpointName): ExchangePredicate {
  return {
    clause,
    judge(record) {
      if (!isAcceptedBy(record, name)) return undefined;
      return judged(!isEnveloped(record.json), () => ({
        expected: 'a bare response, without success, code and data around it',
        actual: 'a platform envelope',
      }));
    },
  };
}

/** That the answer to an accepted request is zero bytes long. Section 4.2. */
export function empty(clause: ExchangePredicate['clause'], name: EndpointName): ExchangePredicate {
  return {
    clause,
    judge(record) {
      if (!isAcceptedBy(record, name)) return undefined;
      const bytes = record.body.length;
      return judged(bytes === 0, () => ({ expected: 'zero bytes', actual: `${bytes} bytes` }));
    },
  };
}
