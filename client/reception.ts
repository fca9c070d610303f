import type { Dispatcher } from 'undici';
import { headerOf } from './body-text.ts';
import { headerPairs } from './header-pairs.ts';
import { withConnection, type Connection } from './connections.ts';
import { decodedBody } from './content-coding.ts';

/** An answer as it was received. */
export interface Response {
  readonly status: number;
  /** Names and values as received, in order. */
  readonly headers: readonly (readonly [string, string])[];
  /** Without transfer coding and without content codings, as far as these could be undone. */
  readonly rawBody: Buffer;
  /** Bytes that came at least, where `rawBody` is only their start: the body went beyond what is taken. */
  readonly wholeBytes?: number;
  /** Why the body is as it came, though it says to be encoded. */
  readonly undecoded?: string;
  /** Local port of the connection that it came over. */
  readonly connection?: number;
  /** Address from which it came. */
  readonly peer?: string;
}

/** What is asked, as it goes out. */
export type Asking = Pick<Dispatcher.RequestOptions, 'origin' | 'path' | 'method' | 'headers' | 'body'>;

/** What an answer may take. */
export interface Allowance {
  /** For everything from the connection to the last byte, however it comes. */
  readonly deadlineMs: number;
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

/**
 * The one way in for answers: asks, and receives within the allowance. A body that goes beyond it is cut, and its answer is an
 * answer all the same. @throws {Late} and whatever else keeps an answer from coming.
 */
export async function receive(dispatcher: Dispatcher, asking: Asking, allowance: Allowance): Promise<Response> {
  let interim = 0;
  return within(allowance, async (controller) => {
    const { asked, connection } = withConnection(() =>
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
    const answer = await asked;
    const { statusCode: status, headers, body } = answer;
    return responseOf({ status, headers, body, over: connection() }, allowance.bodyBytes);
  });
}

/** Waits for what comes of asking, by a controller that gives up once it is too late. */
export async function within<T>(
  { deadlineMs, isOver = () => false }: Allowance,
  ask: (controller: AbortController) => Promise<T>,
): Promise<T> {
  const started = performance.now();
  // undici's own time-outs begin anew with each piece that comes.
  const controller = new AbortController();
  const look = setInterval(
    () => {
      if (isOver() || performance.now() - started >= deadlineMs) controller.abort(lateAfter(deadlineMs));
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
  readonly over: Connection | undefined;
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

function lateAfter(deadlineMs: number): Late {
  return new Late(`no whole answer within ${Math.round(deadlineMs / 100) / 10} s`);
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
