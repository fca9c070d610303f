import fc from 'fast-check';
import { codes, limits } from '../contract/values.ts';
import { type EndpointName, endpoints } from '../contract/endpoints.ts';
import type { Call } from '../contract/request.ts';
import { echoCall, probeCall, queryCall, nineRetiredCalls } from '../generators/calls.ts';
import {
  beyondAscii,
  timestampOf,
  timestampOffBy,
  timestampWritten,
  type Flaw,
  probesWithFlaw,
} from '../generators/flaws.ts';
import { plainProbes, variedProbes, type Probe } from '../generators/probes.ts';
import { callOfAnySize } from '../generators/signed-bodies.ts';
import { eachLanguageOnce, wishedInTurn, wishing, type WishedLanguage } from '../generators/wished-language.ts';
import { mayLeaveNew } from '../targets/traffic/interlock.ts';
import { check, property } from './kit/check.ts';
import { refusesBeyondAscii, refusesLarge } from './kit/recipes.ts';
import { isRefused, summary } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';

const tolerance = limits.timestampToleranceSeconds;

/** On a clock that runs, how far from the edge a check stays: requests take time, and the skew is measured in whole seconds. */
const marginSeconds = 5;

const tooFarHint = 'the tolerance is wider than 300 seconds on this side, or not checked';
const cutHint =
  'a part of the timestamp is compared, its lowest bits or the time without the date, or it is not checked so far away';

/** A wrong timestamp, and the endpoint that is asked with it, or a request with a body of some size. */
interface Wrong {
  readonly flaw: Flaw;
  readonly name: EndpointName;
  readonly sized?: Call | undefined;
}

/** Refused at whatever endpoint. */
async function refuses(t: Trial, { flaw, name, sized }: Wrong, hint: string): Promise<void> {
  if (sized) return refusesLarge(t, sized, flaw.apply, hint, flaw.refusal);
  const call = probeCall(name, t.target.address.xmlContentType);
  await t.refuses(await t.caller(), call, flaw.refusal, flaw.apply, hint);
}

/** Any of the endpoints, each method as often as the others; the echo is the simplest. */
function anyEndpoint(): fc.Arbitrary<EndpointName> {
  const byMethod = Map.groupBy(endpoints, ({ method }) => method);
  return fc.oneof(...[...byMethod.values()].map((group) => fc.constantFrom(...group.map(({ name }) => name))));
}

const anywhere = (flaw: fc.Arbitrary<Flaw>): fc.Arbitrary<Wrong> => fc.record({ flaw, name: anyEndpoint() });

/** The same, half of them with a body of any size: what is read from a file may be asked for less. */
const ofAnySize = (flaw: fc.Arbitrary<Flaw>): fc.Arbitrary<Wrong> =>
  fc.record({ flaw, name: anyEndpoint(), sized: fc.option(callOfAnySize(), { freq: 2, nil: undefined }) });

/** So many seconds off, behind or ahead. */
const offBy = (sign: bigint, seconds: fc.Arbitrary<bigint>): fc.Arbitrary<Flaw> =>
  seconds.map((off) => timestampOffBy(sign * off));

/** What comes to nothing, or nearly, where a number is cut to fewer bits: those of the usual integers above all. */
function multipleOfPower(bits: fc.Arbitrary<number>): fc.Arbitrary<bigint> {
  return fc
    .record({ bits, times: fc.bigInt({ min: 1n, max: 5n }), near: fc.bigInt({ min: -99n, max: 99n }) })
    .map((chosen) => chosen.times * 2n ** BigInt(chosen.bits) + chosen.near);
}

/** What comes to nothing, or nearly, where the time of day is compared without its date, or minutes without their hour. */
const multipleOfUnit: fc.Arbitrary<bigint> = fc
  .record({
    unit: fc.constantFrom(3600n, 86_400n),
    times: fc.bigInt({ min: 1n, max: 40n }),
    near: fc.bigInt(-99n, 99n),
  })
  .map(({ unit, times, near }) => unit * times + near);

/** Times of more digits than now has, and than a number of 64 bits or of double precision can have. */
const ofManyDigits: fc.Arbitrary<Flaw> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(1_000_000n, 1_000_000_000n)
      .map((parts) => timestampWritten(`in units of 1/${parts} s`, (seconds) => String(BigInt(seconds) * parts))),
  },
  {
    weight: 2,
    arbitrary: fc
      .oneof(fc.integer({ min: 11, max: 40 }), fc.constantFrom(16, 19, 20))
      .chain((digits) => fc.bigInt({ min: 10n ** BigInt(digits - 1), max: 10n ** BigInt(digits) - 1n }))
      .map(timestampOf),
  },
);

/** Kinds of timestamps on one side that are beyond the tolerance. */
function beyond(sign: bigint): fc.Arbitrary<Readonly<Record<'near' | 'cut' | 'far', Wrong>>> {
  const from = BigInt(tolerance + marginSeconds);
  const near = fc.oneof(
    fc.bigInt({ min: from, max: 2n * BigInt(tolerance) }),
    fc.bigInt({ min: from, max: 10n * 365n * 86_400n }),
  );
  const isAhead = sign > 0n;
  const bits = isAhead
    ? fc.oneof(fc.constantFrom(32, 64), fc.integer({ min: 24, max: 130 }))
    : fc.integer({ min: 10, max: 27 });
  const far = isAhead ? ofManyDigits : fc.bigInt({ min: 0n, max: 10n ** 9n }).map(timestampOf);
  return fc.record({
    near: ofAnySize(offBy(sign, near)),
    cut: anywhere(offBy(sign, fc.oneof(multipleOfPower(bits), multipleOfUnit))),
    far: anywhere(far),
  });
}

/** Fails where a timestamp that is surely within the tolerance is held against a request; what else is answered to it is for others. */
async function isNotTooFar(t: Trial, call: Call, sign: number): Promise<void> {
  const exchange = await t.send(await t.caller(), call, timestampOffBy(sign * (tolerance - 10 * marginSeconds)).apply);
  const isHeldAgainst = isRefused(exchange, codes.timestampInvalid);
  t.holds(!isHeldAgainst, { expected: 'no refusal for its timestamp', actual: summary(exchange) });
}

check('timestamp.server-time-accepted', 'server time in Unix seconds is accepted', async (t) => {
  await t.accepts(await t.caller(), echoCall('now'));
});

/** A probe of each endpoint, each with another wish. */
const wishingProbes = variedProbes.map((probe, at) => inWords(probe, wishedInTurn(at)));

/** Each language once, at endpoints in turn. */
const probesInLanguages = eachLanguageOnce.flatMap((wish, at) =>
  plainProbes.slice(at, at + 1).map((probe) => inWords(probe, wish)),
);

function inWords({ name, callAs }: Probe, wish: WishedLanguage): Probe {
  return { name, callAs: (contentType) => wishing(callAs(contentType), wish) };
}

const echoOff = (seconds: number): Wrong => ({ flaw: timestampOffBy(seconds), name: 'echo' });

/** What a server takes whose clock shows the time of Brazil or of China, that leaves days out, or counts in 32 bits. */
const localTime = {
  behind: { near: echoOff(-10_800), cut: echoOff(-86_400), far: echoOff(-28_800) },
  'ahead of': { near: echoOff(28_800), cut: echoOff(2 ** 32), far: echoOff(10_800) },
} as const;

/** What a server takes that forgives the hour of a summer time or half a day; and 0, which some languages take for nothing sent. */
const summerTime = {
  behind: { near: echoOff(-3600), cut: echoOff(-43_200), far: { flaw: timestampOf(0n), name: 'echo' } },
  'ahead of': { near: echoOff(3600), cut: echoOff(86_400), far: echoOff(43_200) },
} as const;

const sides = [
  { accepted: 'timestamp.past-accepted', refused: 'timestamp.past-refused', sign: -1, words: 'behind' },
  { accepted: 'timestamp.future-accepted', refused: 'timestamp.future-refused', sign: 1, words: 'ahead of' },
] as const;

for (const { accepted, refused, sign, words } of sides) {
  property(
    accepted,
    `a timestamp up to 295 seconds ${words} the measured server time is accepted`,
    fc.integer({ min: 1, max: tolerance - marginSeconds }),
    async (t, seconds) => {
      await t.accepts(await t.caller(), echoCall('within the tolerance'), timestampOffBy(sign * seconds).apply);
    },
    { examples: [tolerance - marginSeconds, 1], mostPolitely: 1 },
  );

  check(
    accepted,
    `a timestamp 295 seconds ${words} the measured server time is accepted on each endpoint`,
    async (t) => {
      const caller = await t.caller();
      const { maxRps, xmlContentType } = t.target.address;
      const off = timestampOffBy(sign * (tolerance - marginSeconds)).apply;
      const calls = plainProbes
        .map(({ callAs }) => callAs(xmlContentType))
        .filter((call) => !mayLeaveNew(t.target.address, call));
      await t.each(maxRps > 0 ? t.drawn(calls, 5) : calls, async (call) => void (await t.accepts(caller, call, off)));
      const retired = nineRetiredCalls.map(({ call }) => call);
      await t.each(maxRps > 0 ? t.drawn(retired, 1) : retired, (call) => isNotTooFar(t, call, sign));
    },
  );

  check(
    accepted,
    `a timestamp exactly 300 seconds ${words} a standing clock is accepted`,
    async (t) => {
      // Of another day, month and year than its server's, where that is all the same.
      const clock = sign < 0 ? '2029-01-01T00:02:53.000Z' : '2030-12-31T23:57:37.000Z';
      const caller = await t.target.clockedCaller({ clock });
      await t.accepts(caller, echoCall('at the edge'), timestampOffBy(sign * tolerance).apply);
      await t.accepts(caller, queryCall('nobody', 'none'), timestampOffBy(sign * tolerance).apply);
      await t.accepts(caller, echoCall('before the edge'), timestampOffBy(sign * (tolerance - 1)).apply);
    },
    { needs: ['movable-clock'] },
  );

  property(
    refused,
    `a timestamp 305 seconds or more ${words} the measured server time gets 401 with 10009001`,
    beyond(BigInt(sign)),
    async (t, { near, cut, far }) => {
      await t.each([near, cut, far], (wrong) => refuses(t, wrong, wrong === cut ? cutHint : tooFarHint));
    },
    { examples: [localTime[words], summerTime[words]], most: 40, mostPolitely: 3 },
  );

  check(
    refused,
    `a timestamp 310 seconds ${words} server time is refused on each endpoint and retired path, in any language`,
    async (t) => {
      const caller = await t.caller();
      const { refusal, apply } = timestampOffBy(sign * (tolerance + 2 * marginSeconds));
      const { maxRps, xmlContentType } = t.target.address;
      // What is as far behind is asked of each endpoint by others, too: their answers are read.
      const probes = sign < 0 ? [...probesWithFlaw(1).map(({ probe }) => probe), ...probesInLanguages] : wishingProbes;
      const current = probes.map(({ name, callAs }) => ({ name, call: callAs(xmlContentType) }));
      // That authentication comes before retirement is for others to see: where manners are asked for, one stands for all.
      const some = maxRps > 0 ? nineRetiredCalls.slice(-1) : nineRetiredCalls;
      const retired = some.map(({ call }, at) => ({ name: call.path, call: wishing(call, wishedInTurn(at)) }));
      await t.each(
        [...current, ...retired],
        async ({ name, call }) => void (await t.refusesAlone(caller, call, refusal, `${name}: ${tooFarHint}`, apply)),
      );
    },
    { pool: 'refusals' },
  );

  check(
    refused,
    `a timestamp exactly 301 seconds ${words} a standing clock gets 401 with 10009001`,
    async (t) => {
      const flaw = timestampOffBy(sign * (tolerance + 1));
      const caller = await t.target.clockedCaller();
      await t.refuses(caller, echoCall('past the edge'), flaw.refusal, flaw.apply, tooFarHint);
    },
    { needs: ['movable-clock'] },
  );
}

check(
  'timestamp.past-refused',
  'a timestamp that was accepted gets 401 with 10009001 once the clock has moved 301 seconds on',
  async (t) => {
    const caller = await t.target.clockedCaller();
    const flaw = timestampOffBy(-(tolerance + 1));
    await t.accepts(caller, echoCall('now'));
    await caller.advance(tolerance + 1);
    await t.refuses(caller, echoCall('now'), flaw.refusal, flaw.apply, tooFarHint);
  },
  { needs: ['movable-clock'] },
);

const texts: readonly Flaw[] = [
  timestampWritten('as a word', () => 'now'),
  timestampWritten('as letters and digits', (seconds) => `${seconds}s`),
  timestampWritten('as an ISO-8601 time', (seconds) => new Date(seconds * 1000).toISOString()),
  timestampWritten('as an HTTP date', (seconds) => new Date(seconds * 1000).toUTCString()),
  timestampWritten('as NaN', () => 'NaN'),
  timestampWritten('with a separator', (seconds) => `${String(seconds).slice(0, 4)}_${String(seconds).slice(4)}`),
  timestampWritten('in groups of thousands', (seconds) => seconds.toLocaleString('en-US')),
];

property(
  'timestamp.text-refused',
  'a timestamp that is no number gets 401 with 10009001',
  anywhere(
    fc.oneof(
      fc.constantFrom(...texts),
      fc.stringMatching(/^[A-Za-z]{1,20}$/).map((word) => timestampWritten(`as ${word}`, () => word)),
    ),
  ),
  (t, wrong) => refuses(t, wrong, 'text passes for a timestamp'),
  { examples: texts.map((flaw) => ({ flaw, name: 'echo' })), mostPolitely: texts.length },
);

property(
  'timestamp.milliseconds-refused',
  'server time in milliseconds gets 401 with 10009001',
  anywhere(
    fc
      .integer({ min: 0, max: 999 })
      .map((more) =>
        timestampWritten(`in milliseconds, ${more} past the second`, (seconds) => String(seconds * 1000 + more)),
      ),
  ),
  (t, wrong) => refuses(t, wrong, 'milliseconds are understood'),
  { mostPolitely: 2 },
);

const writings: readonly Flaw[] = [
  timestampWritten('with a plus sign', (seconds) => `+${seconds}`),
  timestampWritten('with a minus sign', (seconds) => `-${seconds}`),
  timestampWritten('with a fraction of zero', (seconds) => `${seconds}.0`),
  timestampWritten('with a fraction', (seconds) => `${seconds}.5`),
  timestampWritten('with a dot at its end', (seconds) => `${seconds}.`),
  timestampWritten('with an exponent', (seconds) => `${seconds}e0`),
  timestampWritten('with a leading zero', (seconds) => `0${seconds}`),
  timestampWritten('in hex', (seconds) => `0x${seconds.toString(16)}`),
];

property(
  'timestamp.plain-decimal',
  'server time in any notation but plain decimal seconds gets 401 with 10009001',
  anywhere(fc.constantFrom(...writings)),
  (t, wrong) => refuses(t, wrong, 'other notations than plain decimal seconds are understood'),
  { examples: writings.map((flaw) => ({ flaw, name: 'echo' })), mostPolitely: writings.length },
);

check('timestamp.text-refused', 'a timestamp with a digit beyond ASCII is refused with 4xx', (t) =>
  refusesBeyondAscii(t, beyondAscii.timestamp),
);
