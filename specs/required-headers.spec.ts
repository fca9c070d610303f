import fc from 'fast-check';
import { codes } from '../contract/values.ts';
import type { Draft, SignatureHeader } from '../contract/request.ts';
import { echoCall, queryCall } from '../generators/calls.ts';
import { probesWithFlaw, missingHeaders, withoutHeaders } from '../generators/flaws.ts';
import { anyProbe, plainProbes, retiredPlaces, type Place } from '../generators/probes.ts';
import { check, property } from './kit/check.ts';
import { isRefusedAt } from './kit/places.ts';

/** What looks for the headers may be another one at each of them. Section 5.1. */
const everywhere: readonly Place[] = [...plainProbes, ...retiredPlaces];

/** Each header is missing at a lookup first: what takes no body may look for less. */
for (const [clause, name, lookup] of [
  ['required-headers.token-missing', 'token', 'cnpj-lookup'],
  ['required-headers.timestamp-missing', 'timestamp', 'chave-lookup'],
  ['required-headers.sign-missing', 'sign', 'cpf-lookup'],
] as const) {
  property(
    clause,
    `a correct request but for its ${name} header gets 401 with 10009000`,
    fc.oneof<fc.Arbitrary<Place>[]>(anyProbe(), fc.constantFrom(...everywhere)),
    (t, place) => isRefusedAt(t, place, withoutHeaders([name]), `${name} is not demanded`),
    { examples: lookupFirst(lookup), mostPolitely: 2, politeExamples: 1 },
  );
}

function lookupFirst(lookup: Place['name']): readonly Place[] {
  return everywhere.toSorted((one, other) => Number(other.name === lookup) - Number(one.name === lookup));
}

const severalMissing: readonly (readonly SignatureHeader[])[] = [
  ['token', 'timestamp'],
  ['token', 'sign'],
  ['timestamp', 'sign'],
  ['token', 'timestamp', 'sign'],
];

/** Each of them at a place with another method, the last at a retired path. */
const severalElsewhere = severalMissing.flatMap((omit, at) => {
  const names = ['chave-lookup', 'nfe-cancellation', 'echo'] as const;
  const place = everywhere.find(({ name }) => name === names[at]) ?? retiredPlaces.at(-1);
  return place ? [{ omit, place }] : [];
});

property(
  'required-headers.several-missing',
  'a request without two or all three of the headers gets 401 with 10009000',
  fc.record({ omit: fc.constantFrom(...severalMissing), place: fc.constantFrom(...everywhere) }),
  (t, { omit, place }) => isRefusedAt(t, place, withoutHeaders(omit), 'headers are demanded only one by one'),
  { examples: severalElsewhere, mostPolitely: severalMissing.length },
);

property(
  'required-headers.every-endpoint',
  'each endpoint refuses a request without the headers with 401 and 10009000',
  fc.record({ probe: anyProbe(), flaw: missingHeaders() }),
  async (t, { probe, flaw }) => {
    const call = probe.callAs(t.target.address.xmlContentType);
    await t.refuses(
      await t.caller(),
      call,
      flaw.refusal,
      flaw.apply,
      `${probe.name} does not demand all three headers`,
    );
  },
  { examples: probesWithFlaw(0), mostPolitely: probesWithFlaw(0).length, pool: 'refusals' },
);

/** Takes a header out and puts its value wherever else a server may look for it. */
function elsewhere(name: SignatureHeader): (draft: Draft) => Draft {
  return (draft) => {
    const value = { token: 'of-nobody', timestamp: draft.timestamp, sign: '0'.repeat(32) }[name];
    const bearer = name === 'token' ? [['authorization', `Bearer ${value}`] as const] : [];
    const headers = [...bearer, ['cookie', `${name}=${value}`], [`x-${name}`, value]] as const;
    return { ...draft, omit: [name], call: { ...draft.call, query: `${name}=${value}`, headers } };
  };
}

const askedWithout = [
  { name: 'token', call: echoCall('elsewhere') },
  { name: 'timestamp', call: echoCall('elsewhere') },
  { name: 'sign', call: queryCall('nobody', 'none') },
] as const;

property(
  'required-headers.headers-only',
  'a value that stands in the query string, or in another header, instead of its header gets 401 with 10009000',
  fc.constantFrom(...askedWithout),
  async (t, { name, call }) => {
    const hint = `${name} is read from elsewhere than its header`;
    await t.refuses(await t.caller(), call, codes.headersMissing, elsewhere(name), hint);
  },
  { examples: askedWithout, mostPolitely: askedWithout.length },
);

check('required-headers.name-case-free', 'TOKEN, Timestamp and SiGn are recognised', async (t) => {
  const headerNames = { token: 'TOKEN', timestamp: 'Timestamp', sign: 'SiGn' };
  await t.accepts(await t.caller(), echoCall('names in any letter case'), (draft) => ({ ...draft, headerNames }));
});
