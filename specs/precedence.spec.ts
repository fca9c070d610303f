import fc from 'fast-check';
import type { ClauseId } from '../contract/catalogue.ts';
import type { Exchange } from '../trace/exchange.ts';
import { codes } from '../contract/values.ts';
import type { NeedName } from '../contract/clause.ts';
import { anyProbe, plainProbes } from '../generators/probes.ts';
import {
  authenticationFlaw,
  plainFlaws,
  type Flaw,
  flawedProbes,
  flawedRetired,
  type FlawedProbe,
} from '../generators/flaws.ts';
import { refusedCalls, type RefusedCall, nineRetiredCalls } from '../generators/calls.ts';
import { mayLeaveNew } from '../targets/traffic/interlock.ts';
import { property } from './kit/check.ts';
import { premise } from './kit/deviation.ts';
import { answerTo, proveWinner, type ProbePair, type sendAimed } from './kit/lattice.ts';
import { isAccepted, isRefused } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';
import type { Call } from '../contract/request.ts';
import { wishing } from '../generators/wished-language.ts';
import type { PoolName } from './kit/pooled.ts';
import {
  areCompatible,
  authenticationFaults,
  authorisationFaults,
  limitFault,
  retirementFault,
  type Fault,
} from '../generators/faults.ts';

/** Every endpoint, so every family, method and kind of body; with each retired path at least once. */
const places: readonly ProbePair[] = plainProbes.flatMap((probe, at) => {
  const retired = nineRetiredCalls[at % nineRetiredCalls.length];
  return retired ? [{ probe, retired }] : [];
});

/** All of these in every place, in such an order that the first of them are all of these once, in changing places. */
function everywhere<T>(all: readonly T[]): (T & { place: ProbePair })[] {
  return places.flatMap((_, turn) =>
    all.flatMap((one, at) => {
      const place = places[(at + turn) % places.length];
      return place ? [{ ...one, place }] : [];
    }),
  );
}

const anyPlace = fc
  .record({ probe: anyProbe(), retired: fc.constantFrom(...nineRetiredCalls) })
  .map((place): ProbePair => place);

const lackOfSubscription = authorisationFaults.filter(({ refusal }) => refusal === codes.notSubscribed);

/** Faults in a place, those that win over the others. */
interface Contenders {
  readonly winners: readonly Fault[];
  readonly losers: readonly Fault[];
  readonly place: ProbePair;
}

interface WinsOptions {
  readonly needs?: readonly NeedName[];
  /** What others ask for, too, and come first: where manners are asked for nothing else is tried. */
  readonly ofOthers?: readonly Contenders[];
}

/** Pairs of faults that are tried where manners are asked for. */
const politePairs = 10;

/**
 * Declares that a request which has some of the winning faults and some of the losing ones is answered for a winning one:
 * every pair, and larger sets at random, on every endpoint family.
 */
function wins(
  clause: ClauseId,
  title: string,
  winners: readonly Fault[],
  losers: readonly Fault[],
  { needs = [], ofOthers = [] }: WinsOptions = {},
): void {
  // Turn by turn: the first of them have each fault once, and then again with another one.
  const pairs = losers
    .flatMap((_, turn) =>
      winners.flatMap((winner, at) =>
        losers
          .slice((at + turn) % losers.length)
          .slice(0, 1)
          .map((loser) => ({ winners: [winner], losers: [loser] })),
      ),
    )
    .filter((pair) => areCompatible([...pair.winners, ...pair.losers]));
  const sets = fc
    .record({
      winners: fc.subarray([...winners], { minLength: 1 }),
      losers: fc.subarray([...losers], { minLength: 1 }),
      place: anyPlace,
    })
    .filter((set) => areCompatible([...set.winners, ...set.losers]));
  property<Contenders>(clause, title, sets, (t, set) => proveWinner(t, set.winners, set.losers, set.place), {
    examples: [...ofOthers, ...everywhere(pairs)],
    mostPolitely: ofOthers.length > 0 ? ofOthers.length : Math.min(pairs.length, politePairs),
    needs,
    ...(ofOthers.length > 0 ? { pool: 'refusals' } : {}),
  });
}

/** Each path in the faults with which it is asked for by those who look at retirement. */
const onRetired = flawedRetired.slice(0, nineRetiredCalls.length).flatMap(({ chosen, flaw }, at): Contenders[] => {
  const place = places[at % places.length];
  const winner: Fault = { ...flaw, takes: [] };
  return place ? [{ winners: [winner], losers: [retirementFault], place: { ...place, retired: chosen } }] : [];
});

wins(
  'precedence.401-before-410',
  'an authentication fault on a retired path gets its 401',
  authenticationFaults,
  [retirementFault],
  { ofOthers: onRetired },
);
wins(
  'precedence.401-before-403',
  'an authentication fault of an application without subscription gets its 401',
  authenticationFaults,
  lackOfSubscription,
);
wins(
  'precedence.401-before-403',
  'an authentication fault of an application that may not call, for whatever reason, gets its 401',
  authenticationFaults,
  authorisationFaults,
  { needs: ['chosen-application'] },
);
/** First those by which a caller may be known: who is unknown has no condition. */
const flawsOfKnown = plainFlaws.toReversed().toSorted((one, other) => rankOf(one) - rankOf(other));

function rankOf({ refusal }: Flaw): number {
  return refusal === codes.tokenInvalid ? 1 : 0;
}

for (const [condition, who] of [
  ['disabled-application', 'a disabled application'],
  ['pending-application', 'an application that awaits approval'],
  ['rejected-application', 'a rejected application'],
  ['application-of-disabled-integrator', 'an application of a disabled integrator'],
] as const) {
  property(
    'precedence.401-before-403',
    `an authentication fault of ${who} gets its 401`,
    fc.record({ probe: anyProbe(), flaw: authenticationFlaw() }),
    async (t, { probe, flaw }) => {
      const call = probe.callAs(t.target.address.xmlContentType);
      const hint = 'the application is judged before authentication';
      await t.refusesAlone(await t.callerIn(condition), call, flaw.refusal, hint, flaw.apply);
    },
    {
      examples: everywhere(flawsOfKnown.map((flaw) => ({ flaw }))).map(({ flaw, place: { probe } }) => ({
        probe,
        flaw,
      })),
      mostPolitely: 2,
      needs: [condition],
    },
  );
}
wins(
  'precedence.410-before-403',
  'a retired path gets 410 from an application without subscription',
  [retirementFault],
  lackOfSubscription,
);
wins(
  'precedence.410-before-403',
  'a retired path gets 410 from an application that may not call, for whatever reason',
  [retirementFault],
  authorisationFaults,
  { needs: ['chosen-application'] },
);
wins('precedence.410-before-429', 'a retired path gets 410 though the limit is spent', [retirementFault], [limitFault]);
wins(
  'precedence.401-before-429',
  'an authentication fault gets its 401 though the limit is spent',
  authenticationFaults,
  [limitFault],
);
wins(
  'precedence.403-before-429',
  'an application that may not call gets its 403 though its limit is spent',
  authorisationFaults,
  [limitFault],
);

/** Declares what a request with several faults of one status gets: the code of any of them, or of the first of them. */
function amongEqual(clause: ClauseId, title: string, faults: readonly Fault[], isFirstOnly: boolean): void {
  const pairs = faults
    .flatMap((one, at) => faults.slice(at + 1).map((other) => ({ pair: [one, other] })))
    .filter(({ pair }) => areCompatible(pair) && new Set(pair.map(({ refusal }) => refusal.code)).size === 2);
  property(
    clause,
    title,
    fc
      .record({ chosen: fc.constantFrom(...pairs), place: anyPlace })
      .map(({ chosen, place }) => ({ ...chosen, place })),
    (t, { pair, place }) =>
      proveWinner(t, isFirstOnly ? pair.slice(0, 1) : pair, isFirstOnly ? pair.slice(1) : [], place),
    { examples: everywhere(pairs), mostPolitely: pairs.length, pool: 'refusals' },
  );
}

amongEqual(
  'precedence.one-of-two-401',
  'two authentication faults get a 401 for one of them',
  authenticationFaults,
  false,
);
amongEqual('precedence.one-of-two-403', 'two reasons for a 403 get a 403 for one of them', authorisationFaults, false);
amongEqual(
  'precedence.order-of-401',
  'two authentication faults get the code that comes first',
  authenticationFaults,
  true,
);
amongEqual('precedence.order-of-403', 'two reasons for a 403 get the code that comes first', authorisationFaults, true);

/** The endpoint has something of its own to say of the call; not asked where it might take it for a good one. */
async function answersItself(t: Trial, { name, call }: RefusedCall, fault: Fault): Promise<void> {
  if (mayLeaveNew(t.target.address, call)) return;
  const refused = await t.send(await t.caller(), call);
  const status = refused.response?.status ?? 0;
  // What is too long for whatever stands before the service is for that to say; of XML the contract says who it is.
  fc.pre(status !== 413 || name === 'nfe-verification');
  fc.pre(name === 'echo' ? status < 500 : isAccepted(refused));
  const isItself = isAccepted(refused) || status !== fault.refusal.status;
  t.holds(isItself, { expected: `an answer of ${name} itself`, actual: String(status) });
}

/** What an endpoint has against a request, and a fault that is to be answered first; the call as others ask for it, where they do. */
interface Contest {
  readonly kind: number;
  readonly fault: Fault;
  readonly flawed?: FlawedProbe;
}

/** A call that is refused for its flaw, and the one that its endpoint refuses itself. */
function callsOf(
  { kind, flawed }: Contest,
  xmlContentType: string,
): { readonly own: RefusedCall; readonly asked: Call } {
  const own = refusedCalls(xmlContentType)[kind];
  fc.pre(own !== undefined);
  const asked = flawed?.probe.callAs(xmlContentType);
  if (!flawed || !asked || own.name === 'echo') return { own, asked: wishing(own.call, flawed?.wish) };
  const isOfOthers = asked.rawBody && own.call.rawBody && !asked.rawBody.equals(own.call.rawBody);
  return { own: isOfOthers ? { ...own, call: asked } : own, asked };
}

const kinds = refusedCalls('').map(({ name, isEarly }, kind) => ({ name, isEarly, kind }));
const firstKinds = kinds.filter(({ name }, at) => kinds[at - 1]?.name !== name);
const earlyKinds = kinds.filter(({ isEarly }) => isEarly);
const otherKinds = [...earlyKinds, ...kinds.filter((one) => !firstKinds.includes(one) && !one.isEarly)];

/** Each plain flaw at each endpoint, as all checks ask for it. */
const flawedFirst: readonly Contest[] = flawedProbes.flatMap((flawed) =>
  firstKinds
    .filter(({ name }) => name === flawed.probe.name)
    .map(({ kind }) => ({ kind, fault: { ...flawed.flaw, takes: [] }, flawed })),
);

/** Declares that a fault is answered before whatever the endpoint has against the request. */
function beforeEndpoint(
  title: string,
  faults: readonly Fault[],
  ofEachEndpoint: readonly Contest[],
  options: { readonly needs?: readonly NeedName[]; readonly most?: number; readonly pool: PoolName },
): void {
  const last = faults.slice(-1);
  // The last fault that is looked for with everything that an endpoint has against a request.
  const others = otherKinds.flatMap(({ kind }) => last.map((fault): Contest => ({ kind, fault })));
  property<Contest>(
    'precedence.gateway-before-endpoint',
    title,
    fc.record({ kind: fc.nat({ max: kinds.length - 1 }), fault: fc.constantFrom(...faults) }),
    async (t, contest) => {
      const { fault } = contest;
      const { own, asked } = callsOf(contest, t.target.address.xmlContentType);
      await premise(() => answersItself(t, own, fault));
      const send = (as: typeof sendAimed): Promise<Exchange> =>
        as(t, [fault], asked, ...(fault.apply ? [fault.apply] : []));
      const exchange = await answerTo(t, [fault], (answer) => isRefused(answer, fault.refusal), send);
      t.isRefusedWith(exchange, fault.refusal, `${own.name} answers before the gateway`);
    },
    {
      examples: [...ofEachEndpoint, ...others],
      mostPolitely: options.most ?? (options.needs ? firstKinds.length : ofEachEndpoint.length + earlyKinds.length),
      ...options,
    },
  );
}

beforeEndpoint(
  'an authentication fault gets its 401 before any error of the endpoint',
  authenticationFaults,
  flawedFirst,
  { pool: 'refusals' },
);
const callerFaults = [...authorisationFaults, limitFault];

/** Each fault of a caller at each endpoint: first each endpoint with one of them, in turn. */
const callersAnywhere: readonly Contest[] = callerFaults.flatMap((_, turn) =>
  firstKinds.flatMap(({ kind }, at) => {
    const fault = callerFaults[(at + turn) % callerFaults.length];
    return fault ? [{ kind, fault }] : [];
  }),
);

beforeEndpoint(
  'an application that may not call, or not now, is refused before any error of the endpoint',
  callerFaults,
  callersAnywhere,
  { needs: ['chosen-application'], pool: 'probes' },
);

beforeEndpoint(
  'an application without a subscription is refused before what it sends is read',
  lackOfSubscription,
  [],
  { needs: ['unsubscribed-application'], most: earlyKinds.length, pool: 'refusals' },
);
