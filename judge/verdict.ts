import type { EndpointName } from '../contract/endpoints.ts';
import { verdictStates } from '../contract/states.ts';
import { member } from '../schemas/member.ts';
import type { ExchangeRecord } from '../trace/records.ts';
import { contentOf, isAcceptedBy } from './answers.ts';
import { judged, shown, type ExchangePredicate } from './predicate.ts';

/** That an answer has one of the three verdicts. `mayLack`: it may have none, as of what is no invoice. Section 3.2. */
export function verdict(
  clause: ExchangePredicate['clause'],
  name: EndpointName,
  mayLack: (record: ExchangeRecord) => boolean,
): ExchangePredicate {
  return {
    clause,
    judge(record) {
      if (record.status !== 200 || !isAcceptedBy(record, name)) return undefined;
      const found = member(contentOf(record.json), 'validation', 'validationStatus');
      if (found === undefined && mayLack(record)) return undefined;
      return judged(
        verdictStates.some((state) => state === found),
        () => ({ expected: verdictStates.join(', '), actual: `validation.validationStatus is ${shown(found)}` }),
      );
    },
  };
}
