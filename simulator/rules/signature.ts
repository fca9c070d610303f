import { hash, timingSafeEqual } from 'node:crypto';
import type { CodeName } from '../../contract/values.ts';
import type { SignedParts } from '../../contract/request.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { SentHeaders } from '../model.ts';

/** What `sign` is computed from, and how. Section 5.2. */
export interface SignatureRules {
  readonly signedToken: (sent: SentHeaders) => string;
  readonly signedPath: (request: RequestFacts) => string;
  readonly signedBody: (request: RequestFacts) => Buffer;
  readonly signedTimestamp: (sent: SentHeaders) => string;
  /** The bytes that are hashed. */
  readonly join: (parts: SignedParts) => Buffer;
  readonly digest: (input: Buffer) => string;
  readonly matches: (sent: string, right: string) => boolean;
  readonly code: CodeName;
}

export const signatureRules: SignatureRules = {
  signedToken: ({ token }) => token,
  signedPath: ({ path }) => path,
  signedBody: (request) => (isSignedAsEmpty(request) ? Buffer.alloc(0) : withoutLineBreaks(request.rawBody)),
  signedTimestamp: ({ timestamp }) => timestamp,
  join: ({ token, path, body, timestamp }) =>
    Buffer.concat([Buffer.from(token + path, 'utf8'), body, Buffer.from(timestamp, 'utf8')]),
  digest: (input) => hash('md5', input, 'hex'),
  matches: isSameText,
  code: 'signMismatch',
};

/** Whether a request is signed as if it had no body. Section 5.2. */
export function isSignedAsEmpty({ method, contentType }: RequestFacts): boolean {
  return method === 'GET' || method === 'DELETE' || /^multipart\//i.test(contentType);
}

const CR = 0x0d;
const LF = 0x0a;

function withoutLineBreaks(bytes: Buffer): Buffer {
  if (!bytes.includes(CR) && !bytes.includes(LF)) return bytes;
  const kept = Buffer.allocUnsafe(bytes.length);
  let keptBytes = 0;
  for (const byte of bytes) {
    if (byte !== CR && byte !== LF) kept[keptBytes++] = byte;
  }
  return kept.subarray(0, keptBytes);
}

/** Compares in a time that does not tell where two texts of one length differ. */
function isSameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one, 'utf8'), Buffer.from(other, 'utf8')];
  return left.length === right.length && timingSafeEqual(left, right);
}
