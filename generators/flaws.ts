import fc from 'fast-check';
import { codes, type PlatformCode } from '../contract/values.ts';
import { signatureHeaders, type Draft, type SignatureHeader, type Call } from '../contract/request.ts';
import { named, shown } from './named.ts';
import { plainProbes, tellingProbes, type Probe } from './probes.ts';
import { nineRetiredCalls, type RetiredCall } from './calls.ts';
import { wishedInTurn, wishing, type WishedLanguage } from './wished-language.ts';

/** One named fault of a request, on an otherwise correct one. */
export interface Flaw {
  readonly name: string;
  /** What the request is refused with when this is its only flaw. */
  readonly refusal: PlatformCode;
  readonly apply: (draft: Draft) => Draft;
}

/** Lacks these signature headers. Section 5.1. */
export function withoutHeaders(omit: readonly SignatureHeader[]): Flaw {
  return flaw(`without ${omit.join(', ')}`, codes.headersMissing, (draft) => ({ ...draft, omit }));
}

/** Carries a timestamp that differs from the server's by so many seconds. Section 5.1. */
export function timestampOffBy(seconds: number | bigint): Flaw {
  const off = BigInt(seconds);
  const name = off < 0n ? `timestamp ${-off} s behind` : `timestamp ${off} s ahead`;
  return flaw(name, codes.timestampInvalid, (draft) => ({
    ...draft,
    timestamp: String(BigInt(draft.timestamp) + off),
  }));
}

/** Writes the timestamp in another way. Section 5.1. */
export function timestampWritten(name: string, write: (seconds: number) => string): Flaw {
  return flaw(`timestamp ${name}`, codes.timestampInvalid, (draft) => ({
    ...draft,
    timestamp: write(Number(draft.timestamp)),
  }));
}

/** Carries that timestamp. Section 5.1. */
export function timestampOf(seconds: bigint): Flaw {
  return timestampWritten(`${seconds}`, () => `${seconds}`);
}

/** Carries, and signs with, a token made of the right one. Section 5.2. */
export function tokenChanged(name: string, change: (token: string) => string): Flaw {
  return flaw(`token ${name}`, codes.tokenInvalid, (draft) => ({ ...draft, token: change(draft.token) }));
}

/** Carries a `sign` made of the right one. Section 5.2. */
export function signChanged(name: string, change: (right: string) => string): Flaw {
  return flaw(`sign ${name}`, codes.signMismatch, (draft) => ({ ...draft, sign: change }));
}

/** A character beyond ASCII in each header that authenticates a request, where languages take it for a letter or a digit. Section 5.1. */
export const beyondAscii: Readonly<Record<SignatureHeader, Flaw>> = {
  token: tokenChanged('with é at its end', (token) => `${token.slice(0, -1)}é`),
  timestamp: timestampWritten('with ² at its end', (seconds) => `${String(seconds).slice(0, -1)}²`),
  sign: signChanged('with é at its end', (right) => `${right.slice(0, -1)}é`),
};

/** Any non-empty set of missing signature headers. */
export function missingHeaders(): fc.Arbitrary<Flaw> {
  return fc.subarray([...signatureHeaders], { minLength: 1 }).map(withoutHeaders);
}

/** One plain flaw for each of the four 401 codes, in their order. Section 7.2. */
export const plainFlaws: readonly Flaw[] = [
  withoutHeaders(signatureHeaders),
  timestampOffBy(-310),
  tokenChanged('of nobody', () => 'token-that-was-never-given-to-anybody'),
  signChanged('all zeros', () => '0'.repeat(32)),
];

/** Every way to provoke a 401, in the order of their codes. */
export function authenticationFlaw(): fc.Arbitrary<Flaw> {
  return fc.oneof(missingHeaders(), fc.constantFrom(...plainFlaws));
}

function flaw(name: string, refusal: PlatformCode, apply: (draft: Draft) => Draft): Flaw {
  return named(name, { name, refusal, apply });
}

/*
 * One table for all checks that look at what is refused with 401, wherever it is asked: each endpoint and each retired path with each plain
 * flaw, in changing languages. Checks that take their requests from here can read the same answers.
 */

/** Each flaw in a language of its own: Chinese by either header tells itself from all others. */
function wishOf(flaw: number, place: number): WishedLanguage {
  const wishes: readonly WishedLanguage[] = [['Language', 'zh'], ['Accept-Language', 'zh'], undefined];
  return flaw < wishes.length ? wishes[flaw] : wishedInTurn(place);
}

/** A flawed call of an endpoint, and the language that it asks for. */
export interface FlawedProbe {
  readonly probe: Probe;
  readonly flaw: Flaw;
  readonly wish: WishedLanguage;
}

/** Each endpoint with each plain flaw: first each with one of them, in turn. What has a wrong sign has a body that tells how it is signed. */
export const flawedProbes: readonly FlawedProbe[] = plainFlaws.flatMap((_, turn) =>
  plainProbes.flatMap(({ name, ...plain }, at) => {
    const nth = (at + turn) % plainFlaws.length;
    const flaw = plainFlaws[nth];
    const wish = wishOf(nth, at);
    const { callAs } = (flaw?.refusal === codes.signMismatch && tellingProbes[at]) || plain;
    const probe: Probe = { name, callAs: (contentType) => wishing(callAs(contentType), wish) };
    return flaw ? [{ probe, flaw, wish }] : [];
  }),
);

/** A flawed call of a retired path. */
interface FlawedRetired {
  readonly chosen: RetiredCall;
  readonly flaw: Flaw;
}

/** Each retired path with each plain flaw: first each with one of them, in turn. */
export const flawedRetired: readonly FlawedRetired[] = plainFlaws.flatMap((_, turn) =>
  nineRetiredCalls.flatMap((retired, at) => {
    const nth = (at + turn) % plainFlaws.length;
    const flaw = plainFlaws[nth];
    return flaw ? [{ chosen: { ...retired, call: wishing(retired.call, wishOf(nth, at)) }, flaw }] : [];
  }),
);

/** Those of the endpoints that have the nth plain flaw. */
export function probesWithFlaw(nth: number): readonly FlawedProbe[] {
  return flawedProbes.filter(({ flaw }) => flaw === plainFlaws[nth]);
}

/** A call of each endpoint and of each retired path: who signs one of them in a way of its own takes a sign of that way there only. */
export const places: readonly Call[] = [
  ...tellingProbes.map(({ callAs }) => callAs('application/xml')),
  ...nineRetiredCalls.map(({ call }) => call),
].map((call) => shown({ ...call, query: 'zz=1&aa=2' }));
