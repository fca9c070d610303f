import fc from 'fast-check';
import type { EndpointName } from '../contract/endpoints.ts';
import type { Call } from '../contract/request.ts';
import { jsonCall, multipartCall, xmlCall, nineRetiredCalls } from './calls.ts';
import { codePoint } from './text.ts';
import { shown } from './named.ts';

/** Where readers take bodies in pieces, keep only so much, or put the rest elsewhere: in bytes. */
const edges = [4096, 16_384, 65_536, 262_144] as const;

/** Where a reader may stop in a large body, in bytes. */
export const readerEnds = [...edges, 524_288, 900_000] as const;

/** Where a reader may stop in a body of so many bytes: the last of those within it, or before its last byte. */
export function endsWithin(bytes: number): readonly number[] {
  const ends = readerEnds.filter((end) => end < bytes);
  return ends.length > 0 ? ends.slice(-edges.length) : [bytes - 1];
}

/** What the XML endpoint takes; others may refuse less. Section 8. */
const largestBytes = 1_000_000;

/** A size of a body in bytes: small, or some more than an edge, and most often up to the largest that is taken anywhere. */
function bodyBytes(): fc.Arbitrary<number> {
  const beyond = (edge: number): fc.Arbitrary<number> =>
    fc.integer({ min: 1, max: edge / 2 }).map((more) => edge + more);
  const largest = fc.oneof(beyond(edges[3]), fc.integer({ min: 900_001, max: largestBytes - 200 }));
  return fc.oneof(fc.integer({ min: 40, max: 400 }), ...edges.map(beyond), largest, largest, largest);
}

/** A call with a body of text, and the same with one character of the text changed: both have as many bytes. */
export interface BodyPair {
  readonly call: Call;
  readonly changed: Call;
}

/** An endpoint that takes a text as its body, and how a text stands in such a body. */
interface Place {
  readonly name: EndpointName;
  readonly callOf: (text: string) => Call;
}

/** The body of that endpoint, with a text in it that a service has no use for. */
function placeAt(name: EndpointName): Place {
  if (name === 'nfe-verification') {
    return { name, callOf: (text) => xmlCall(`<conformanceProbe>${text}</conformanceProbe>`, 'application/xml') };
  }
  const field = name === 'echo' ? 'message' : 'conformanceProbe';
  return { name, callOf: (text) => jsonCall(name, JSON.stringify({ [field]: text })) };
}

/**
 * A body of any size to one of these endpoints, of characters from all planes, and the same with one of its letters changed: the
 * last one as often as any other.
 */
export function bodyPair(names: readonly EndpointName[]): fc.Arbitrary<BodyPair> {
  return fc
    .record({
      place: fc.constantFrom(...names.map(placeAt)),
      piece: piece(),
      bytes: bodyBytes(),
      share: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
    })
    .map(({ place, piece: letters, bytes, share }) => pairOf(place, letters, bytes, share));
}

/** Such a pair of about so many bytes to that endpoint, of which the last letter is changed. Section 5.2. */
export function bodyOf(name: EndpointName, bytes: number): BodyPair {
  return pairOf(placeAt(name), 'ç', bytes, 1);
}

function pairOf({ callOf }: Place, letters: string, bytes: number, share: number): BodyPair {
  const text = `${letters}x`;
  const times = Math.max(1, Math.ceil(bytes / Buffer.byteLength(text)));
  const at = Math.min(times - 1, Math.floor(share * times));
  return {
    call: sized(callOf(text.repeat(times))),
    changed: sized(callOf(`${text.repeat(at)}${letters}y${text.repeat(times - at - 1)}`)),
  };
}

/** A call of the upload or of a retired endpoint, with a body of any size. */
export function callOfAnySize(): fc.Arbitrary<Call> {
  const retired = fc.constantFrom(...nineRetiredCalls.filter(({ call }) => call.method === 'POST'));
  return fc
    .record({ bytes: bodyBytes(), letters: piece(), upload: fc.boolean(), retired })
    .map(({ bytes, letters, upload, retired: { call } }) => {
      const text = letters.repeat(Math.ceil(bytes / Buffer.byteLength(letters)));
      return sized(upload ? multipartCall(text) : { ...call, rawBody: Buffer.from(JSON.stringify({ text })) });
    });
}

/** An upload of 300 kB, which readers put elsewhere than what they keep in memory. Section 5.2. */
export function largeUpload(): Call {
  return sized(multipartCall('x'.repeat(300_000)));
}

/** What stands for itself in XML and in JSON, and is removed by nobody. */
function piece(): fc.Arbitrary<string> {
  const plain = /^[\p{L}\p{N}\p{P}\p{So}]$/u;
  const kept = codePoint().map((point) => (plain.test(point) && !/[<>&"'\\\]]/.test(point) ? point : '😀'));
  return fc.array(kept, { minLength: 1, maxLength: 20 }).map((points) => points.join(''));
}

/** The same call, shown in counterexamples by the size of its body where that is large. */
function sized(call: Call): Call {
  const bytes = call.rawBody?.length ?? 0;
  if (bytes <= 1000) return shown(call);
  return Object.assign(call, {
    [fc.toStringMethod]: () => `${call.method} ${call.path} with a body of ${bytes} bytes`,
  });
}
