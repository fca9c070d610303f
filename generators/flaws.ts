import fc from 'fast-check';
import { codes, type PlatformCode } from '../contract/values.ts';
import { signatureHeaders, type Draft, type SignatureHeader } from '../contract/request.ts';
import { named } from './named.ts';

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
