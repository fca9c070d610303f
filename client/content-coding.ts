import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  constants,
} from 'node:zlib';
import type { Transform } from 'node:stream';

/** A body as its Content-Encoding says that it is. */
export interface Decoded {
  readonly rawBody: Buffer;
  /** `rawBody` is only the start of what would come out. */
  readonly isCut: boolean;
  /** What could not be undone, and why: then `rawBody` is as it came. */
  readonly undecoded?: string;
}

/** Codings in a row that are undone; a target that uses more of them wants to keep somebody busy. */
const mostCodings = 4;

/** Undoes the content codings of a body, the last one first, to at most so many bytes each. `isWhole`: it came to its end. */
export async function decodedBody(
  rawBody: Buffer,
  contentEncoding: string,
  mostBytes: number,
  isWhole = true,
): Promise<Decoded> {
  const codings = codingsIn(contentEncoding);
  const asItCame = { rawBody, isCut: !isWhole };
  if (rawBody.length === 0 || codings.length === 0) return asItCame;
  if (codings.length > mostCodings) return { ...asItCame, undecoded: `${codings.length} content codings` };
  let [bytes, isCut] = [rawBody, !isWhole];
  for (const coding of codings.toReversed()) {
    const decoder = decoderOf(coding, bytes);
    if (!decoder) return { ...asItCame, undecoded: `unknown content coding ${coding.slice(0, longestName)}` };
    const out = await output(decoder, bytes, mostBytes);
    // What was cut may well end in the middle.
    if (out.isBroken && !isCut) return { ...asItCame, undecoded: `no ${coding}, though it is said to be` };
    bytes = out.bytes;
    isCut ||= out.isCut;
  }
  return { rawBody: bytes, isCut };
}

const longestName = 40;

function codingsIn(contentEncoding: string): string[] {
  return contentEncoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

function decoderOf(coding: string, bytes: Buffer): Transform | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      // Many servers leave out the header that it is to have. RFC 9110, section 8.4.1.2.
      return hasZlibHeader(bytes) ? createInflate() : createInflateRaw();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      // A larger window would be as much memory. RFC 8878, section 3.1.1.1.2.
      return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } });
    default:
      return undefined;
  }
}

function hasZlibHeader(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

/** What a decoder makes of bytes, to at most so many. */
function output(
  decoder: Transform,
  bytes: Buffer,
  mostBytes: number,
): Promise<{ bytes: Buffer; isCut: boolean; isBroken: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve) => {
    const end = (isCut: boolean, isBroken: boolean): void => {
      decoder.destroy();
      resolve({ bytes: Buffer.concat(chunks, Math.min(length, mostBytes)), isCut, isBroken });
    };
    decoder.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > mostBytes) end(true, false);
    });
    decoder.on('end', () => end(false, false));
    decoder.on('error', () => end(true, true));
    decoder.end(bytes);
  });
}
