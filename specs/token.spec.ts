import fc from 'fast-check';
import { partsOf, stringToSign } from '../client/sign.ts';
import type { Change } from '../contract/request.ts';
import { codes } from '../contract/values.ts';
import { echoCall, jsonCall, nineRetiredCalls, queryCall } from '../generators/calls.ts';
import { beyondAscii, tokenChanged, type Flaw, probesWithFlaw } from '../generators/flaws.ts';
import { plainProbes, retiredPlaces, type Place } from '../generators/probes.ts';
import { member } from '../schemas/values.ts';
import { mayLeaveNew } from '../targets/traffic/interlock.ts';
import type { Caller } from '../targets/applications.ts';
import { commonTexts } from '../trace/mask.ts';
import { secretMatcher, type SecretMatcher, type FoundSecret } from '../trace/secrets/matcher.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { calledBackAsEither } from './kit/callbacks.ts';
import { check, property } from './kit/check.ts';
import { isRefusedAt } from './kit/places.ts';
import { refusesBeyondAscii } from './kit/recipes.ts';
import { answerText, jsonBody } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';

check('token.app-secret-accepted', 'a request with the App Secret as token is accepted', async (t) => {
  await t.accepts(await t.caller(), echoCall('App Secret'));
});

property(
  'token.unknown-refused',
  'a token that was never given out gets 401 with 10009002',
  fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
  async (t, unknown) => {
    const flaw = tokenChanged('that was never given out', () => unknown);
    await t.refuses(await t.caller(), echoCall('unknown token'), flaw.refusal, flaw.apply);
  },
  { examples: ['__proto__'], mostPolitely: 2 },
);

check(
  'token.unknown-refused',
  'no endpoint takes a token that was never given out',
  async (t) => {
    const caller = await t.caller();
    await t.each(probesWithFlaw(2), async ({ probe: { name, callAs }, flaw: { refusal, apply } }) => {
      const call = callAs(t.target.address.xmlContentType);
      await t.refusesAlone(caller, call, refusal, `${name} takes any token`, apply);
    });
  },
  { pool: 'refusals' },
);

/** Another character of the same kind, so that the token stays one in form. */
function otherCharacter(character: string): string {
  if (/[0-9]/.test(character)) return String((Number(character) + 1) % 10);
  if (/[a-z]/.test(character)) return character === 'z' ? 'a' : String.fromCharCode(character.charCodeAt(0) + 1);
  return character === 'X' ? 'Y' : 'X';
}

function changedAt(share: number): Flaw {
  return tokenChanged(`with the character ${Math.round(share * 100)} % into it changed`, (token) => {
    const at = Math.min(token.length - 1, Math.floor(share * token.length));
    return token.slice(0, at) + otherCharacter(token.charAt(at)) + token.slice(at + 1);
  });
}

const nearEcho: Place = { name: 'echo', callAs: () => echoCall('nearly the token') };

const nearTokens: readonly Flaw[] = [
  // A database that looks for what is like it takes that for any character.
  tokenChanged('with its last character as _', (token) => token.slice(0, -1) + (token.endsWith('_') ? '%' : '_')),
  changedAt(0),
  tokenChanged('without its last character', (token) => token.slice(0, -1)),
  tokenChanged('without its first character', (token) => token.slice(1)),
  tokenChanged('with a character more', (token) => `${token}0`),
  tokenChanged('twice, as a list', (token) => `${token}, ${token}`),
  tokenChanged('in quotes', (token) => `"${token}"`),
  tokenChanged('behind the word Bearer', (token) => `Bearer ${token}`),
  tokenChanged('with its first character escaped', (token) => `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`),
  changedAt(0.5),
  changedAt(1),
];

/** One of them at a place: another one at each. */
function nearTokenAt(place: Place, at: number): { readonly flaw: Flaw; readonly place: Place }[] {
  return nearTokens.slice(at, at + 1).map((flaw) => ({ flaw, place }));
}

/** Each of them at the echo, and then at another endpoint or retired path: what looks for the application may be another there. */
const nearTokensInPlaces: readonly { readonly flaw: Flaw; readonly place: Place }[] = [
  ...nearTokens.map((flaw) => ({ flaw, place: nearEcho })),
  ...plainProbes.slice(1).flatMap(nearTokenAt),
  ...retiredPlaces.flatMap(nearTokenAt),
];

property(
  'token.verbatim',
  'an App Secret with a character changed, added or dropped gets 401 with 10009002',
  fc.record({
    flaw: fc.oneof(
      fc.constantFrom(...nearTokens),
      fc.integer({ min: 0, max: 100 }).map((percent) => changedAt(percent / 100)),
    ),
    place: fc.constantFrom<Place>(nearEcho, ...plainProbes, ...retiredPlaces),
  }),
  (t, { flaw, place }) => isRefusedAt(t, place, flaw, 'tokens are not compared whole'),
  { examples: nearTokensInPlaces, mostPolitely: 9 },
);

function otherCase(letter: string): string {
  return letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
}

check('token.verbatim', 'an App Secret in the other letter case gets 401 with 10009002', async (t) => {
  const caller = await t.caller();
  const cases = [
    ['in upper case', (token: string) => token.toUpperCase()],
    ['in lower case', (token: string) => token.toLowerCase()],
    ['with its last letter in the other case', (token: string) => token.replace(/[A-Za-z](?=[^A-Za-z]*$)/, otherCase)],
    ['without what is no letter or digit', (token: string) => token.replaceAll(/[^A-Za-z0-9]/g, '')],
  ] as const;
  const [echo, query] = [echoCall('letter case'), queryCall('nobody', 'none')];
  const others = cases.filter(([, change]) => change(caller.appSecret) !== caller.appSecret);
  await t.each([...others.entries()], async ([at, [name, change]]) => {
    const flaw = tokenChanged(name, change);
    // What looks for the application may be another in each: where no control API is, they take turns.
    for (const call of t.target.address.control ? [echo, query] : at % 2 === 0 ? [echo] : [query]) {
      await t.refuses(caller, call, flaw.refusal, flaw.apply, 'tokens are compared without case');
    }
  });
  await t.accepts(caller, echoCall('letter case'));
});

check('token.app-key-refused', 'the App Key as token gets 401 with 10009002', async (t) => {
  const caller = await t.caller();
  if (/[^\x20-\xff]/.test(caller.appKey ?? '')) throw new NotExercised('no header can hold the App Key', 'settings');
  const { refusal, apply } = tokenChanged('that is the App Key', () => caller.appKey ?? '');
  const { control, xmlContentType } = t.target.address;
  await t.each(control ? plainProbes : plainProbes.slice(0, 1), async ({ callAs }) => {
    await t.refuses(caller, callAs(xmlContentType), refusal, apply, 'the App Key passes for a credential');
  });
});

const oldSigns = 'a sign is taken that was computed with the old secret';

check('token.rotated-refused', 'an App Secret that was rotated away gets 401 with 10009002', async (t) => {
  const old = await t.target.rotatedSecret();
  const flaw = tokenChanged('that a rotation has made invalid', () => old);
  await t.refuses(await t.caller(), echoCall('old secret'), flaw.refusal, flaw.apply, 'the old secret still works');
});

check(
  'token.rotated-refused',
  'the old App Secret gets 401 with 10009002 on the first request after the rotation',
  async (t) => {
    const old = await t.caller();
    await t.accepts(old, echoCall('before the rotation'));
    const renewed = await t.target.rotate(old);
    const flaw = tokenChanged('that was valid until just now', () => old.appSecret);
    const hint = 'the old secret outlives its rotation';
    await t.refusesAlone(old, echoCall('after the rotation'), codes.tokenInvalid, hint);
    await t.refuses(renewed, echoCall('after the rotation'), flaw.refusal, flaw.apply, 'the old secret still works');
    // The new one as token: only who signs with the other as well knows both.
    const signedByOld: Change = (draft) => ({
      ...draft,
      hashed: stringToSign({ ...partsOf(draft), token: old.appSecret }),
    });
    await t.refusesAlone(renewed, echoCall('signed with the old'), codes.signMismatch, oldSigns, signedByOld);
    await t.target.rotate(renewed);
    // Who remembers the last secret alone that was rotated away takes the one before it again.
    await t.refusesAlone(old, echoCall('after two rotations'), codes.tokenInvalid, 'a second rotation revives it');
    await t.refusesAlone(renewed, echoCall('after two rotations'), codes.tokenInvalid, 'a second rotation spares it');
  },
  { needs: ['rotation'] },
);

check(
  'token.rotated-refused',
  'no endpoint takes the old App Secret after the rotation',
  async (t) => {
    const old = await t.caller();
    await t.accepts(old, echoCall('before the rotation'));
    await t.target.rotate(old);
    await t.each(plainProbes, async ({ name, callAs }) => {
      const call = callAs(t.target.address.xmlContentType);
      await t.refusesAlone(old, call, codes.tokenInvalid, `the old secret still opens ${name}`);
    });
    const some = t.target.address.maxRps > 0 ? nineRetiredCalls.slice(-2) : nineRetiredCalls;
    await t.each(some, async ({ call }) => {
      await t.refusesAlone(old, call, codes.tokenInvalid, 'a retired path is told of to who has the old secret');
    });
  },
  { needs: ['rotation'] },
);

check('token.new-secret-accepted', 'the App Secret of a rotation is accepted at once', async (t) => {
  const renewed = await t.target.rotate(await t.caller());
  await t.accepts(renewed, echoCall('new secret'));
});

check(
  'token.secret-not-returned',
  'no answer of any endpoint carries the App Secret',
  async (t) => {
    const caller = await t.caller();
    const { find } = await appSecretMatcher(t, caller);
    const { xmlContentType } = t.target.address;
    const refused = probesWithFlaw(3).map(({ probe, flaw }) => ({ ...probe, changes: [flaw.apply] }));
    const passing = plainProbes
      .filter(({ callAs }) => !mayLeaveNew(t.target.address, callAs(xmlContentType)))
      .map((probe) => ({ ...probe, changes: [] }));
    // What an endpoint has to say of a request that it can't read may hold all of it.
    const unread = { name: 'echo', callAs: () => jsonCall('echo', '{"no": "message"}'), changes: [] };
    await t.each([...passing, unread, ...refused], async ({ name, callAs, changes }) => {
      const exchange = await t.send(caller, callAs(xmlContentType), ...changes);
      const [found] = find(answerText(exchange));
      t.holds(found === undefined, {
        expected: 'an answer without the App Secret',
        actual: `${name} returns ${foundText(found)}`,
      });
    });
  },
  { pool: 'probes' },
);

check('token.secret-not-returned', 'no callback carries the App Secret', async (t) => calledBackAsEither(t), {
  needs: ['callbacks', 'empresa', 'authorised-issuance'],
});

/** What a target says of a caller by right is no part of its secret, though it may be like one. */
async function appSecretMatcher(t: Trial, caller: Caller): Promise<SecretMatcher> {
  const { baseUrl } = t.target.address;
  const data = member(jsonBody(await t.send(caller, echoCall('who calls'))), 'data');
  const names = ['appKey', 'appName'].map((name) => member(data, name)).filter((value) => typeof value === 'string');
  const isSecret = (name: string): boolean => name.includes(caller.appSecret);
  const common = commonTexts([baseUrl, ...names.filter((name) => !isSecret(name))]);
  return secretMatcher([{ secret: caller.appSecret, stand: '$APP_SECRET' }], { common });
}

/** A secret, or what is left of one, and what it was found in. */
function foundText(found: FoundSecret | undefined): string {
  const ways = (found?.ways ?? []).map((way) => `, in ${way}`).join('');
  return `${found?.isWhole === false ? 'a part of the App Secret' : 'the App Secret'}${ways}`;
}

check('token.unknown-refused', 'a token with a character beyond ASCII is refused with 4xx', (t) =>
  refusesBeyondAscii(t, beyondAscii.token),
);
