import fc from 'fast-check';
import { codes } from '../contract/codes.ts';
import { endpoints, type EndpointName } from '../contract/endpoints.ts';
import { probeCall } from '../generators/calls.ts';
import { property } from './kit/check.ts';

const endpointNames: readonly EndpointName[] = endpoints.map(({ name }) => name);

for (const [clause, condition, refusal, who] of [
  ['application.disabled-refused', 'disabled-application', codes.applicationDisabled, 'a disabled application'],
  [
    'application.pending-refused',
    'pending-application',
    codes.applicationNotEffective,
    'an application awaiting approval',
  ],
  ['application.rejected-refused', 'rejected-application', codes.applicationNotEffective, 'a rejected application'],
  [
    'application.integrator-disabled-refused',
    'application-of-disabled-integrator',
    codes.integratorDisabled,
    'an application of a disabled integrator',
  ],
] as const) {
  property(
    clause,
    `${who} gets 403 with ${refusal.code} on every endpoint`,
    fc.constantFrom(...endpointNames),
    async (t, name) => {
      const call = probeCall(name, t.target.address.xmlContentType);
      await t.refusesCaller(await t.callerIn(condition), call, refusal, `${who} is served`);
    },
    { examples: endpointNames },
  );
}
