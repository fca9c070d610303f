import { applicationRules } from '../simulator/rules/application.ts';
import { mutant, stageMutant, type Mutant } from './mutant.ts';

const { codes } = applicationRules;

/** Wrong ways to judge applications and integrators. */
export const applicationMutants: readonly Mutant[] = [
  mutant('application.disabled-served', ['application.disabled-refused'], 'application', { isDisabled: () => false }),
  mutant('application.pending-served', ['application.pending-refused'], 'application', {
    isNotEffective: ({ state }) => state === 'rejected',
  }),
  mutant('application.rejected-served', ['application.rejected-refused'], 'application', {
    isNotEffective: ({ state }) => state === 'pending',
  }),
  mutant('application.integrator-ignored', ['application.integrator-disabled-refused'], 'application', {
    isIntegratorDisabled: () => false,
  }),
  stageMutant(
    'application.served-on-get',
    ['application.disabled-refused'],
    'application',
    (request, context, original) => (request.method === 'GET' ? undefined : original.answer(request, context)),
  ),
  mutant(
    'application.codes-swapped',
    ['application.disabled-refused', 'application.pending-refused', 'application.rejected-refused'],
    'application',
    { codes: { ...codes, disabled: codes.notEffective, notEffective: codes.disabled } },
  ),
  mutant('application.code-of-subscription', ['application.integrator-disabled-refused'], 'application', {
    codes: { ...codes, integratorDisabled: 'notSubscribed' },
  }),
];
