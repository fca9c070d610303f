import { applicationRules } from '../simulator/rules/application.ts';
import { member } from '../schemas/values.ts';
import { guises, ruleMutants, stageMutant, type Mutant } from './mutant.ts';

const ruled = ruleMutants('application', 'application');

const { codes } = applicationRules;

/** Wrong ways to judge applications and integrators. */
export const applicationMutants: readonly Mutant[] = [
  ruled('disabled-served', ['application.disabled-refused'], { isDisabled: () => false }),
  ruled('pending-served', ['application.pending-refused'], { isNotEffective: ({ state }) => state === 'rejected' }),
  ruled('rejected-served', ['application.rejected-refused'], { isNotEffective: ({ state }) => state === 'pending' }),
  ruled('integrator-ignored', ['application.integrator-disabled-refused'], { isIntegratorDisabled: () => false }),
  stageMutant(
    'application.served-on-get',
    ['application.disabled-refused'],
    'application',
    (request, context, original) => (request.method === 'GET' ? undefined : original.answer(request, context)),
  ),
  stageMutant(
    'application.integrator-disabled-served-on-delete',
    ['application.integrator-disabled-refused'],
    'application',
    async (request, context, original) => {
      const reply = await original.answer(request, context);
      return request.method === 'DELETE' && member(reply?.body, 'code') === 10009014 ? undefined : reply;
    },
  ),
  ...guises.map(([what, isSo]) =>
    stageMutant(
      `application.served-${what}`,
      [
        'application.disabled-refused',
        'application.pending-refused',
        'application.rejected-refused',
        'application.integrator-disabled-refused',
      ],
      'application',
      (request, context, original) => (isSo(request) ? undefined : original.answer(request, context)),
    ),
  ),
  ruled(
    'codes-swapped',
    ['application.disabled-refused', 'application.pending-refused', 'application.rejected-refused'],
    { codes: { ...codes, disabled: codes.notEffective, notEffective: codes.disabled } },
  ),
  ruled('code-of-subscription', ['application.integrator-disabled-refused'], {
    codes: { ...codes, integratorDisabled: 'notSubscribed' },
  }),
];
