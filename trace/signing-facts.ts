import { signatureHeaders, type Origin, type SignatureHeader } from '../contract/request.ts';
import { sign, type SignedRequest } from '../client/sign.ts';

/** How far the three headers of a request are what its caller is to send. Sections 5.1 and 5.2. */
export interface SigningFacts {
  /** Headers that are not there, or empty. */
  readonly missing: readonly SignatureHeader[];
  /** Headers that went out more than once. */
  readonly repeated: readonly SignatureHeader[];
  /** Whether the token is the App Secret of the caller. */
  readonly isOwnToken: boolean;
  /** It is one of his that a rotation has made invalid. */
  readonly isFormerToken?: true;
  /** Seconds that the timestamp is ahead of the caller's clock; absent where it is not plain decimal. */
  readonly aheadSeconds?: number;
  /** Whether the sign is that of what was sent, by the token and the timestamp that were sent. */
  readonly isSignOfSent: boolean;
}

/** What is known of how a request was signed; `undefined` where nobody signed it. */
export function signingFactsOf({ headers, parts, origin }: SignedRequest, sentAtMs?: number): SigningFacts | undefined {
  if (!origin) return undefined;
  const valuesOf = (name: SignatureHeader): string[] =>
    headers.filter(([own]) => own.toLowerCase() === name).map(([, value]) => value);
  const [timestamp = ''] = valuesOf('timestamp');
  const [token = ''] = valuesOf('token');
  const isPlain = /^(?:0|[1-9]\d{0,11})$/.test(timestamp);
  return {
    missing: signatureHeaders.filter((name) => valuesOf(name).every((value) => value === '')),
    repeated: signatureHeaders.filter((name) => valuesOf(name).length > 1),
    isOwnToken: token === origin.appSecret,
    ...(origin.formerSecrets?.includes(token) ? { isFormerToken: true } : {}),
    ...(isPlain ? { aheadSeconds: Number(timestamp) - nowAt(origin, sentAtMs) } : {}),
    isSignOfSent: valuesOf('sign')[0] === sign(parts) && timestamp === parts.timestamp,
  };
}

/** Unix seconds of the caller's clock when a request went out. */
export function nowAt({ nowSeconds, madeAtMs }: Origin, sentAtMs = madeAtMs): number {
  return nowSeconds + (madeAtMs === undefined || sentAtMs === undefined ? 0 : Math.floor((sentAtMs - madeAtMs) / 1000));
}

/** Seconds that a right timestamp may be old: the request waited for its turn. */
const mostWaited = 60;

/** Whether the three headers went out once each, as they are to be for the application that sent them. Section 5.2. */
export function isRightlySigned(facts: SigningFacts | undefined): boolean {
  return (
    facts !== undefined &&
    facts.missing.length === 0 &&
    facts.repeated.length === 0 &&
    facts.isOwnToken &&
    Math.abs(facts.aheadSeconds ?? Infinity) <= mostWaited &&
    facts.isSignOfSent
  );
}
