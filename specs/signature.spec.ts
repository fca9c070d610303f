import fc from 'fast-check';
import { codes } from '../contract/values.ts';
import { type Call, type Draft, signatureHeaders } from '../contract/request.ts';
import { stringToSign, partsOf } from '../client/sign.ts';
import { echoCall, jsonCall, accentedCall, longCall, plainCall, queriedCall } from '../generators/calls.ts';
import { anyProbe, plainProbes } from '../generators/probes.ts';
import { beyondAscii, signChanged, type Flaw, places, probesWithFlaw } from '../generators/flaws.ts';
import { jsonText } from '../generators/json.ts';
import { callOfAnySize, largeUpload } from '../generators/signed-bodies.ts';
import { echoMessage } from '../generators/text.ts';
import { wrongEncodings } from '../generators/wrong-recipes/body.ts';
import {
  wrongHashes,
  wrongOrders,
  wrongSeparators,
  wrongTimestamps,
  wrongTokens,
} from '../generators/wrong-recipes/hash.ts';
import { mayLeaveNew } from '../targets/traffic/interlock.ts';
import { LeftOut } from '../targets/not-exercised.ts';
import { check, property } from './kit/check.ts';
import { refusesBeyondAscii, refusesLarge, refusesRecipes, signedFor, typedFor } from './kit/recipes.ts';
import { isRefused, summary } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';
import { forced } from './kit/verification.ts';
import { wrongExtras } from '../generators/wrong-recipes/path.ts';

/** What proxies say of where a request came from, and anybody may. */
const fromWithin = [
  ['x-forwarded-for', '127.0.0.1'],
  ['x-real-ip', '127.0.0.1'],
] as const;

/** Sizes of bodies that fill what readers take them in to the last byte. */
const fullBuffers = [4096, 8192, 16_384];

property(
  'signature.accepted',
  'a correctly signed request is accepted, whatever its message and however its JSON is written',
  echoMessage().chain((message) => jsonText({ message })),
  async (t, body) => {
    await t.accepts(await t.caller(), jsonCall('echo', body));
  },
  { examples: fullBuffers.map((bytes) => `{"message":"${'x'.repeat(bytes - 14)}"}`), mostPolitely: 5 },
);

/** More than services count that shut out who fails too often; only an application of the check's own is put to that. */
const wrongInARow = 12;

check(
  'signature.accepted',
  'a correctly signed request is accepted after many with a wrong sign',
  async (t) => {
    const [caller, flaw] = [await t.target.caller(), signChanged('all zeros', () => '0'.repeat(32))];
    for (let sent = 0; sent < wrongInARow; sent++) await t.send(caller, echoCall('one of many'), flaw.apply);
    await t.accepts(caller, echoCall('after many'));
  },
  { needs: ['chosen-application'] },
);

property(
  'signature.every-endpoint',
  'each endpoint lets the right sign pass and refuses a wrong one',
  anyProbe(),
  async (t, probe) => {
    const flaw = signChanged('all zeros', () => '0'.repeat(32));
    const [caller, call] = [await t.caller(), probe.callAs(t.target.address.xmlContentType)];
    if (call.rawBody && !mayLeaveNew(t.target.address, call)) await t.accepts(caller, call);
    // Who has a verification made anew is asked for a sign as well.
    const wrong = probe.name === 'nfe-verification' ? { ...call, headers: [forced] } : call;
    await t.refuses(caller, wrong, flaw.refusal, flaw.apply, `${probe.name} takes any sign`);
  },
  { examples: probesWithFlaw(3).map(({ probe }) => probe), mostPolitely: probesWithFlaw(3).length, pool: 'refusals' },
);

property(
  'signature.mismatch-refused',
  'a sign of 32 random hex characters gets 401 with 10009003',
  fc.stringMatching(/^[0-9a-f]{32}$/),
  async (t, random) => {
    // With a query: nobody signs it, and who looks at what has one elsewhere might not look at the sign. Nor might who is told by
    // whoever asks that it comes from within.
    const call = { ...echoCall('random sign'), query: 'pagina=1', headers: fromWithin };
    await t.refuses(await t.caller(), call, codes.signMismatch, (draft) => ({
      ...draft,
      sign: () => random,
    }));
  },
  { mostPolitely: 1 },
);

property(
  'signature.mismatch-refused',
  'a wrong sign is refused whatever the body and its size',
  callOfAnySize(),
  (t, call) => refusesLarge(t, call, signChanged('all zeros', () => '0'.repeat(32)).apply, 'the sign is not checked'),
  { examples: [largeUpload()], most: 20, mostPolitely: 4 },
);

check(
  'signature.mismatch-refused',
  'of requests that come at once each one with a wrong sign is refused',
  async (t) => {
    const [caller, flaw] = [await t.caller(), signChanged('all zeros', () => '0'.repeat(32))];
    // Large enough that hashing one takes as long as another needs to come.
    const calls = [1, 2, 3, 4].map((nth) => echoCall(`request ${nth} of four at once ${'x'.repeat(60_000)}`));
    const bursts = t.target.address.maxRps > 0 ? 2 : 3;
    for (let burst = 1; burst <= bursts; burst++) {
      const isWrong = (nth: number): boolean => nth % 2 === burst % 2;
      const answers = await t.sendAtOnce(caller, calls, (nth) => (isWrong(nth) ? [flaw.apply] : []));
      // What a server bears at one moment is nowhere said.
      const judged = answers.filter(({ response }, nth) => isWrong(nth) && response?.status !== 429);
      if (judged.length === 0) throw new LeftOut('each wrong sign got 429');
      for (const answer of judged) t.isRefusedWith(answer, flaw.refusal, 'it passes beside others under way');
      const mistaken = answers.find((answer, nth) => !isWrong(nth) && isRefused(answer, codes.signMismatch));
      t.holds(mistaken === undefined, {
        expected: 'no right sign taken for a wrong one',
        actual: mistaken ? summary(mistaken) : '',
      });
    }
  },
);

refusesRecipes('signature.order', 'a sign over another order is refused', wrongOrders, plainCall());
refusesRecipes('signature.no-separators', 'a sign with separators is refused', wrongSeparators, plainCall());
refusesRecipes('signature.md5', 'a sign by another hash is refused', wrongHashes, plainCall());
refusesRecipes('signature.utf-8', 'a sign over another encoding is refused', wrongEncodings, accentedCall());
refusesRecipes(
  'signature.token-signed',
  'a sign over something else than the token is refused',
  wrongTokens,
  plainCall(),
);
refusesRecipes('signature.timestamp-as-sent', 'a sign over another timestamp is refused', wrongTimestamps, plainCall());

property(
  'signature.utf-8',
  'a body beyond ASCII is accepted when its UTF-8 bytes are signed',
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
  async (t, text) => {
    await t.accepts(await t.caller(), echoCall(`ação ${text}`));
  },
  { mostPolitely: 2 },
);

property(
  'signature.nothing-else-signed',
  'header order, further headers and the charset leave the sign valid',
  fc.record({
    headerOrder: fc.shuffledSubarray([...signatureHeaders], { minLength: 3, maxLength: 3 }),
    charset: fc.boolean(),
    value: fc.stringMatching(/^[a-z0-9]{1,20}$/),
  }),
  async (t, { headerOrder, charset, value }) => {
    const plain = echoCall('headers');
    const contentType = charset ? 'application/json; charset=utf-8' : 'application/json';
    const call: Call = { ...plain, contentType, headers: [['x-request-id', value]] };
    await t.accepts(await t.caller(), call, signedFor(plain), (draft) => ({ ...draft, headerOrder }));
  },
  {
    examples: [
      { headerOrder: signatureHeaders.toReversed(), charset: true, value: 'a' },
      { headerOrder: [...signatureHeaders], charset: false, value: '0' },
    ],
    mostPolitely: 2,
  },
);
refusesRecipes(
  'signature.nothing-else-signed',
  'a sign over method or content type is refused',
  wrongExtras,
  plainCall(),
);

/** In another letter case; of a sign without a letter, as one in three million is, other digits are sent. */
function inOtherCase(name: string, change: (right: string) => string): Flaw {
  return signChanged(name, (right) => (change(right) === right ? '0'.repeat(right.length) : change(right)));
}

const inUpperCase = inOtherCase('in upper case', (right) => right.toUpperCase());

const otherCase: readonly Flaw[] = [
  inUpperCase,
  inOtherCase('with its first letter in upper case', (right) =>
    right.replace(/[a-f]/, (letter) => letter.toUpperCase()),
  ),
];

property(
  'signature.upper-case-refused',
  'a sign in upper or mixed case is refused, whatever it is of',
  fc.record({
    flaw: fc.constantFrom(...otherCase),
    call: fc.oneof(plainCall(), accentedCall(), queriedCall(), longCall()),
  }),
  async (t, { flaw, call }) => {
    await t.refuses(await t.caller(), call, flaw.refusal, flaw.apply, 'the sign is compared without case');
  },
  {
    examples: [
      echoCall('upper case'),
      echoCall('MAIÚSCULAS: ação'),
      { ...echoCall('upper case'), query: 'a=1' },
      echoCall('x'.repeat(20_000)),
    ].flatMap((call) => otherCase.map((flaw) => ({ flaw, call }))),
    mostPolitely: 2,
  },
);

check(
  'signature.upper-case-refused',
  'a sign in upper case is refused on each endpoint and each retired path',
  async (t) => {
    const caller = await t.caller();
    const retired = places.slice(plainProbes.length);
    const some = t.target.address.maxRps > 0 ? t.drawn(retired, 2) : retired;
    await t.each([...places.slice(0, plainProbes.length), ...some], async (call) => {
      const hint = `${call.method} ${call.path} compares the sign without case`;
      await t.refusesAlone(caller, typedFor(t, call), inUpperCase.refusal, hint, inUpperCase.apply);
    });
  },
);

/** The sign with the character at that place replaced by another hex character. */
function withOther(at: number): Flaw {
  return signChanged(`with character ${at + 1} changed`, (right) => {
    const other = right[at] === '0' ? '1' : '0';
    return right.slice(0, at) + other + right.slice(at + 1);
  });
}

/** Each character, first those where a part of the sign begins or ends. */
const everyCharacter = [...new Set([0, 31, 15, 16, 7, 8, 23, 24, ...Array(32).keys()])].map(withOther);
/** Whoever takes one of the last two takes one of the others, too: a polite run goes without them. */
const wrongLengths: readonly Flaw[] = [
  signChanged('without its last character', (right) => right.slice(0, -1)),
  signChanged('without its first character', (right) => right.slice(1)),
  signChanged('with a character more', (right) => `${right}0`),
  signChanged('behind 0x', (right) => `0x${right}`),
  signChanged('in quotes', (right) => `"${right}"`),
  signChanged('cut to its first half', (right) => right.slice(0, 16)),
  signChanged('twice', (right) => right + right),
];

/** What one place may not look at, though all others do. */
const partsOfSign: readonly Flaw[] = [
  signChanged('with its last half changed', (right) => right.slice(0, 16) + '0'.repeat(16)),
  signChanged('with its first half changed', (right) => '0'.repeat(16) + right.slice(16)),
  signChanged('with a character more', (right) => `${right}0`),
];

property(
  'signature.whole-sign-compared',
  'a sign with any one character changed, dropped or added is refused',
  fc.constantFrom(...everyCharacter, ...wrongLengths),
  async (t, flaw) => {
    const hint = 'only a part of the sign is compared';
    await t.refuses(await t.caller(), echoCall('whole sign'), flaw.refusal, flaw.apply, hint);
  },
  { examples: [...wrongLengths.slice(0, 5), ...everyCharacter, ...wrongLengths.slice(5)], mostPolitely: 8 },
);

check(
  'signature.whole-sign-compared',
  'a sign of which a part is changed is refused on each endpoint and each retired path',
  async (t) => {
    const caller = await t.caller();
    const all = partsOfSign.flatMap((flaw) => places.map((call) => ({ flaw, call })));
    const asked = t.target.address.maxRps > 0 ? t.drawn(all, 8) : all;
    await t.each(asked, async ({ flaw, call }) => {
      const hint = `of ${call.method} ${call.path} only a part of the sign is compared`;
      await t.refusesAlone(caller, typedFor(t, call), flaw.refusal, hint, flaw.apply);
    });
  },
);

check('signature.timestamp-as-sent', 'a sign made for another second is refused', async (t) => {
  const caller = await t.caller();
  const offsets = t.target.address.maxRps > 0 ? [-1, 60] : [-60, -1, 1, 60];
  await t.each(offsets, async (seconds) => {
    const flaw = (draft: Draft): Draft => {
      const other = { ...draft, timestamp: String(Number(draft.timestamp) + seconds) };
      return { ...draft, hashed: stringToSign(partsOf(other)) };
    };
    await t.refuses(
      caller,
      echoCall('another second'),
      codes.signMismatch,
      flaw,
      'the sign is not bound to the timestamp',
    );
  });
});

check('signature.token-signed', 'a sign made with another application’s secret is refused', async (t) => {
  const caller = await t.caller();
  await t.each(await othersSecrets(t), async (token) => {
    const flaw = (draft: Draft): Draft => ({ ...draft, hashed: stringToSign({ ...partsOf(draft), token }) });
    await t.refuses(caller, echoCall('another secret'), codes.signMismatch, flaw, 'the sign is not bound to the token');
  });
});

/** A secret that is nobody's, and those of other applications, as far as there are any that the run knows. */
async function othersSecrets(t: Trial): Promise<readonly string[]> {
  const nobodys = 'secret-of-another-application';
  const { control, credentials } = t.target.address;
  if (control) return [nobodys, (await t.callerLike({ appName: 'another application' })).appSecret];
  const { disabled, pending, rejected, integratorDisabled, unsubscribed, rateLimited, rotated } = credentials;
  const known = [disabled, pending, rejected, integratorDisabled, unsubscribed, rateLimited, rotated];
  const others = known.filter((secret) => secret !== undefined);
  return [nobodys, ...(t.target.address.maxRps > 0 ? t.drawn(others, 2) : others)];
}

check('signature.mismatch-refused', 'a sign with a character beyond ASCII is refused with 4xx', (t) =>
  refusesBeyondAscii(t, beyondAscii.sign),
);
