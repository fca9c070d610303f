import { createHash } from 'node:crypto';
import type { Call, SignedParts } from '../contract/request.ts';

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
