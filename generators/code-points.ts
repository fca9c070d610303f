import fc from 'fast-check';

const surrogates = 0x800;

/** Any one Unicode character: a code point that is no half of a surrogate pair; every second below U+10000. */
export function codePoint(): fc.Arbitrary<string> {
  const within = (last: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: last - surrogates });
  return fc
    .oneof(within(0xffff), within(0x10ffff))
    .map((place) => String.fromCodePoint(place < 0xd800 ? place : place + surrogates));
}
