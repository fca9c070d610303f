import { createHash } from 'node:crypto';
import {
  type Call,
  type SignedParts,
  signatureHeaders,
  type Draft,
  type Origin,
  type SignatureHeader,
  type Transfer,
} from '../contract/request.ts';

const CR = 0x0d;
const LF = 0x0a;

/** The bytes that are signed as the body of a call: none for GET, DELETE and multipart, else all but CR and LF. Section 5.2. */
export function signedBody(call: Call): Buffer {
  const isBodyless = call.method === 'GET' || call.method === 'DELETE';
  const isMultipart = /^multipart\//i.test(call.contentType ?? '');
  if (isBodyless || isMultipart || call.rawBody === undefined) return Buffer.alloc(0);
  return withoutLineBreaks(call.rawBody);
}

/** The bytes but CR and LF, stretch by stretch: a body may be a million bytes long, and most have no line break. */
function withoutLineBreaks(bytes: Buffer): Buffer {
  if (!bytes.includes(CR) && !bytes.includes(LF)) return bytes;
  return Buffer.from(bytes.toString('latin1').replaceAll(/[\r\n]+/g, ''), 'latin1');
}

/** Bytes that are hashed into sign: token, path, body without CR and LF, timestamp; no separators, UTF-8. Section 5.2. */
export function stringToSign(parts: SignedParts): Buffer {
  return Buffer.concat([
    Buffer.from(parts.token, 'utf8'),
    Buffer.from(parts.path, 'utf8'),
    parts.body,
    Buffer.from(parts.timestamp, 'utf8'),
  ]);
}

/** The `sign` header: 32 lower-case hex characters, the MD5 of the string to sign. Section 5.2. */
export function sign(parts: SignedParts): string {
  return md5(stringToSign(parts));
}

/** The MD5 of bytes as 32 lower-case hex characters. */
export function md5(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex');
}

/** A request as it goes out: nothing of it is changed on the way. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query from `/openapi` on, as they will stand on the request line behind the base address. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly rawBody?: Buffer;
  readonly transfer?: Transfer;
  /** What `sign` is to be computed from. */
  readonly parts: SignedParts;
  /** What the MD5 was taken of, where a flaw put it in the place of the string to sign. */
  readonly hashed?: Buffer;
  readonly origin?: Origin;
  /** A link to a document that was followed: nothing is signed, and its address is the permission. */
  readonly isLink?: true;
}

/** The four signed ingredients of a draft. Section 5.2. */
export function partsOf(draft: Draft): SignedParts {
  return { token: draft.token, path: draft.call.path, body: signedBody(draft.call), timestamp: draft.timestamp };
}

/** Signs a draft and lays out its headers; flaws that the draft carries are kept. Sections 5.1 and 5.2. */
export function signedRequest(draft: Draft): SignedRequest {
  const { call } = draft;
  const parts = partsOf(draft);
  return {
    method: call.method,
    target: call.query === undefined ? call.path : `${call.path}?${call.query}`,
    headers: headersOf(draft, draft.hashed ? md5(draft.hashed) : sign(parts)),
    ...(call.rawBody === undefined ? {} : { rawBody: call.rawBody }),
    ...(call.transfer === undefined ? {} : { transfer: call.transfer }),
    parts,
    ...(draft.hashed ? { hashed: draft.hashed } : {}),
    ...(draft.origin ? { origin: draft.origin } : {}),
  };
}

/** The headers of a request as they go out, with those that say in which way its body is sent. */
export function headersAsSent({ headers, rawBody, transfer }: SignedRequest): readonly (readonly [string, string])[] {
  return transfer === undefined || !rawBody ? headers : [...headers, headersOfTransfers[transfer]];
}

const headersOfTransfers: Readonly<Record<Transfer, readonly [string, string]>> = {
  chunked: ['transfer-encoding', 'chunked'],
  expecting: ['expect', '100-continue'],
};

function headersOf(draft: Draft, digest: string): [string, string][] {
  const values: Record<SignatureHeader, string> = {
    token: draft.token,
    timestamp: draft.timestamp,
    sign: draft.sign ? draft.sign(digest) : digest,
  };
  const own = (draft.headerOrder ?? signatureHeaders)
    .filter((name) => !draft.omit?.includes(name))
    .map((name): [string, string] => [draft.headerNames?.[name] ?? name, values[name]]);
  const further = (draft.call.headers ?? []).map(([name, value]): [string, string] => [name, value]);
  const contentType: [string, string][] =
    draft.call.contentType === undefined ? [] : [['content-type', draft.call.contentType]];
  return draft.headerOrder ? [...contentType, ...further, ...own] : [...own, ...contentType, ...further];
}
