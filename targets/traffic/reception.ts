import type { Dispatcher } from 'undici';
import { headerOf, type Response } from '../../trace/exchange.ts';
import { type Carrier, withCarrier, wasEndedIdle } from './carriers.ts';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  constants,
} from 'node:zlib';
import type { Transform } from 'node:stream';

/** Headers that came as one list, name and value in turn, as pairs; each character of a value is a byte. */
export function headerPairs(flat: unknown): [string, string][] {
  if (!Array.isArray(flat)) return [];
  const texts = flat.map((part) => (Buffer.isBuffer(part) ? part.toString('latin1') : String(part)));
  return texts.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, texts[at + 1] ?? '']] : []));
}

/** What is asked, as it goes out. */
type Asking = Pick<Dispatcher.RequestOptions, 'origin' | 'path' | 'method' | 'headers' | 'body' | 'reset'>;

/** What an answer may take. */
export interface Allowance {
  /** For everything from the connection to the last byte, however it comes. */
  readonly deadlineMs: number;
  /** What was waited already where several answers have one allowance together, in milliseconds. */
  readonly waitedMs?: number;
  /** Of a body as it comes, and of what it unpacks to. */
  readonly bodyBytes: number;
  /** Whether nobody waits for it any more. */
  readonly isOver?: () => boolean;
}

/** What a message may be that is no document. */
export const messageBytes = 1024 * 1024;
/** What a document may be. */
export const documentBytes = 8 * 1024 * 1024;
/** Bytes of headers of one answer: a part of any budget. */
export const headerBytes = 256 * 1024;
/** Interim answers before the one that counts. */
const mostInterim = 100;
/** How often a request that waits looks whether it is over. */
const lookMs = 250;

/** Thrown where an answer was not there in time, or nobody waits for it. */
export class Late extends Error {
  override readonly name = 'Late';
}

/** Thrown where a request went out over a connection that the server was about to end, as it ends whatever is idle for so long. */
export class EndedIdle extends Error {
  override readonly name = 'EndedIdle';

  constructor(cause: unknown) {
    super('the server had ended the idle connection', { cause });
  }
}

/**
 * The one way in for answers: asks, and receives within the allowance. A body that goes beyond it is cut, and its answer is an
 * answer all the same. @throws {Late}, {EndedIdle}, and whatever else keeps an answer from coming.
 */
export async function receive(dispatcher: Dispatcher, asking: Asking, allowance: Allowance): Promise<Response> {
  let interim = 0;
  return within(allowance, async (controller) => {
    const { asked, carrier } = withCarrier(() =>
      dispatcher.request({
        ...asking,
        responseHeaders: 'raw',
        signal: controller.signal,
        onInfo: () => {
          interim += 1;
          if (interim > mostInterim)
            controller.abort(new Error(`more than ${mostInterim} interim answers and no answer`));
        },
      }),
    );
    const answer = await asked.catch((error: unknown) => {
      throw wasEndedIdle(carrier(), error) ? new EndedIdle(error) : error;
    });
    const { statusCode: status, headers, body } = answer;
    return responseOf({ status, headers, body, over: carrier() }, allowance.bodyBytes);
  });
}

/** Waits for what comes of asking, by a controller that gives up once it is too late. */
export async function within<T>(
  { deadlineMs, waitedMs = 0, isOver = () => false }: Allowance,
  ask: (controller: AbortController) => Promise<T>,
): Promise<T> {
  const started = performance.now();
  // undici's own time-outs begin anew with each piece that comes.
  const controller = new AbortController();
  const look = setInterval(
    () => {
      if (isOver() || performance.now() - started >= deadlineMs) controller.abort(lateAfter(waitedMs + deadlineMs));
    },
    Math.min(lookMs, deadlineMs),
  );
  try {
    return await ask(controller);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearInterval(look);
  }
}

/** An answer whose body is still to come. */
interface Begun {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: unknown;
  readonly body: AsyncIterable<Buffer> & { destroy: () => unknown };
  readonly over: Pick<Carrier, 'port' | 'peer'> | undefined;
}

/** Reads an answer to its end, or to that of what is taken. */
export async function responseOf({ status, headers: flat, body, over }: Begun, bodyBytes: number): Promise<Response> {
  const headers = headerPairs(flat);
  const came = await start(body, bodyBytes);
  const encoding = headerOf({ headers }, 'content-encoding') ?? '';
  const { rawBody, isCut, undecoded } = await decodedBody(came.bytes, encoding, bodyBytes, !came.isCut);
  return {
    status,
    headers,
    rawBody,
    ...(isCut ? { wholeBytes: Math.max(came.length, rawBody.length + 1) } : {}),
    ...(undecoded === undefined ? {} : { undecoded }),
    ...(over === undefined ? {} : { connection: over.port, ...(over.peer === undefined ? {} : { peer: over.peer }) }),
  };
}

function lateAfter(ms: number): Late {
  return new Late(`no whole answer within ${Math.round(ms / 100) / 10} s`);
}

/** The start of a body, to at most so many bytes; what is beyond is not waited for. */
async function start(
  body: AsyncIterable<Buffer> & { destroy: () => unknown },
  mostBytes: number,
): Promise<{ bytes: Buffer; length: number; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > mostBytes) break;
  }
  return { bytes: Buffer.concat(chunks, Math.min(length, mostBytes)), length, isCut: length > mostBytes };
}

/** A body as its Content-Encoding says that it is. */
interface Decoded {
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
