import { registration } from '../schemas/messages.ts';
import { validator } from '../schemas/validate.ts';
import { contentOf, isAcceptedBy } from './answers.ts';
import { bare, status200 } from './bare.ts';
import { judged, type ExchangePredicate } from './predicate.ts';

const faultsOfRegistration = validator(registration);

/** Answers to the registration of a company. Sections 4.1 and 4.2. */
export const empresaRegistration: readonly ExchangePredicate[] = [
  bare('empresa-registration.bare', 'empresa-registration'),
  status200('empresa-registration.status-200', 'empresa-registration'),
  {
    clause: 'empresa-registration.empresa-id',
    judge(record) {
      // Another status of success, which may be one without a body, is a clause of its own.
      if (record.status !== 200 || !isAcceptedBy(record, 'empresa-registration')) return undefined;
      const faults = faultsOfRegistration(contentOf(record.json));
      return judged(faults.length === 0, () => ({
        expected: 'an object with empresaId, a string',
        actual: record.json === undefined ? 'a body that is no JSON' : faults.join('; '),
      }));
    },
  },
];
