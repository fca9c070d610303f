import { codes } from '../contract/codes.ts';
import { anyProbe, plainProbes } from '../generators/probes.ts';
import { property } from './kit/check.ts';

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
    anyProbe(),
    async (t, probe) => {
      const call = probe.callAs(t.target.address.xmlContentType);
      await t.refusesCaller(await t.callerIn(condition), call, refusal, `${who} is served`);
    },
    { examples: plainProbes },
  );
}
