import type { EndpointName } from '../contract/endpoints.ts';
import { verdictStates } from '../contract/states.ts';
import { member } from '../schemas/values.ts';
import { validator } from '../schemas/validate.ts';
import { verification } from '../schemas/messages.ts';
import type { ExchangeRecord } from '../trace/records.ts';
import { contentOf, isAcceptedBy } from './answers.ts';
import { judged, type ExchangePredicate } from './predicate.ts';

const faultsOf = validator(verification);

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
      const answer = contentOf(record.json);
      if (member(answer, 'validation', 'validationStatus') === undefined && mayLack(record)) return undefined;
      const faults = faultsOf(answer);
      return judged(faults.length === 0, () => ({
        expected: `validation.validationStatus: ${verdictStates.join(', ')}`,
        actual: answer === undefined ? 'a body that is no JSON' : faults.join('; '),
      }));
    },
  };
}
