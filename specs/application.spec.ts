import fc from 'fast-check';
import { codes, type PlatformCode } from '../contract/values.ts';
import { endpoint, endpoints, scopeOf, type EndpointName } from '../contract/endpoints.ts';
import type { Standing } from '../contract/request.ts';
import { echoCall, probeCall } from '../generators/calls.ts';
import { anyProbe, inFewLanguages } from '../generators/probes.ts';
import { wishedLanguages, wishing } from '../generators/wished-language.ts';
import { check, property } from './kit/check.ts';
import { isAccepted, summary } from './kit/reply.ts';

const endpointNames: readonly EndpointName[] = endpoints.map(({ name }) => name);
const anyEndpoint = fc.constantFrom(...endpointNames);

for (const [nth, [clause, condition, refusal, who]] of (
  [
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
  ] as const
).entries()) {
  property(
    clause,
    `${who} gets 403 with ${refusal.code} on every endpoint`,
    fc.record({ probe: anyProbe(), wish: fc.constantFrom(...wishedLanguages) }),
    async (t, { probe, wish }) => {
      const call = wishing(probe.callAs(t.target.address.xmlContentType), wish);
      await t.refusesCaller(await t.callerIn(condition), call, refusal, `${who} is served`);
    },
    { examples: inFewLanguages(nth), mostPolitely: endpoints.length, pool: 'probes' },
  );
}

/** What an application is made like, and what it is refused with then; nothing where it may call. */
interface Change {
  readonly standing: Standing;
  /** Subscribed to another endpoint than that which is called. */
  readonly elsewhere?: true;
  readonly refusal?: PlatformCode;
}

const plain: Change = { standing: {} };

const changes: readonly Change[] = [
  { standing: { state: 'disabled' }, refusal: codes.applicationDisabled },
  { standing: { state: 'pending' }, refusal: codes.applicationNotEffective },
  { standing: { state: 'rejected' }, refusal: codes.applicationNotEffective },
  { standing: { integratorState: 'disabled' }, refusal: codes.integratorDisabled },
  { standing: { subscriptions: [] }, refusal: codes.notSubscribed },
  { standing: {}, elsewhere: true, refusal: codes.notSubscribed },
  { standing: { rateLimit: { limit: 0, windowSeconds: 60 } }, refusal: codes.rateLimited },
];

/** A scope of the contract's, always: who makes applications may refuse any other. */
function standingAt({ standing, elsewhere }: Change, name: EndpointName): Standing {
  return elsewhere ? { subscriptions: [scopeOf(endpoint(name === 'echo' ? 'cnpj-lookup' : 'echo'))] } : standing;
}

const anySteps = fc.array(fc.record({ change: fc.constantFrom(plain, plain, ...changes), name: anyEndpoint }), {
  minLength: 2,
  maxLength: 4,
  size: 'max',
});

/** Each change is met by an application that was served before, and taken back of one that never was. */
const thereAndBack = changes.flatMap((change, at) =>
  [
    [plain, change, plain],
    [change, plain],
  ].map((steps, walk) =>
    steps.map((step, nth) => ({
      change: step,
      name: endpointNames[(3 * at + walk + nth) % endpointNames.length] ?? 'echo',
    })),
  ),
);

/** At one endpoint, which an application that was served there may not call after a change of each kind. */
const atOneEndpoint = endpointNames.map((name) =>
  changes.flatMap((change) => [plain, change].map((each) => ({ change: each, name }))),
);

/** One list of scopes in the place of another. */
const toEcho: (typeof thereAndBack)[number][number] = {
  change: { standing: { subscriptions: [scopeOf(endpoint('echo'))] } },
  name: 'echo',
};
const otherScopes: (typeof thereAndBack)[number] = [
  toEcho,
  { change: { standing: {}, elsewhere: true, refusal: codes.notSubscribed }, name: 'echo' },
  toEcho,
];

property(
  'application.change-in-force',
  'what was changed of an application holds for its next request',
  anySteps,
  async (t, steps) => {
    const made = await t.target.caller();
    for (const { change, name } of steps) {
      const { refusal } = change;
      const caller = await t.target.change(made, standingAt(change, name));
      const call = probeCall(name, t.target.address.xmlContentType);
      if (refusal) await t.refusesAlone(caller, call, refusal, 'the application is judged by what it was before');
      else {
        const exchange = await t.sendUnderLimit(caller, call);
        t.holds(isAccepted(exchange), {
          expected: 'accepted: the application may call again',
          actual: summary(exchange),
          hint: 'the application is judged by what it was before',
        });
      }
    }
  },
  {
    examples: [...thereAndBack.slice(0, 1), otherScopes, ...thereAndBack.slice(1), ...atOneEndpoint],
    mostPolitely: 2,
  },
);

check(
  'application.change-in-force',
  'what an application is remains when its secret is rotated',
  async (t) => {
    await t.each(changes, async (change) => {
      const { refusal } = change;
      if (!refusal) return;
      const caller = await t.target.rotate(await t.target.change(await t.target.caller(), standingAt(change, 'echo')));
      await t.refusesAlone(caller, echoCall('rotated'), refusal, 'a rotation makes an application another one');
    });
  },
  { needs: ['rotation'] },
);
