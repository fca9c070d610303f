import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import { limits } from '../contract/values.ts';
import type { SignedRequest } from './sign.ts';

/** Where a service is, and how it is reached. */
export interface Service {
  /** Without a trailing slash; may have a path prefix of its own, which is not signed. */
  readonly baseUrl: string;
  /** undici's way there: a pool of connections, a proxy. */
  readonly dispatcher?: Dispatcher;
}

/** An answer, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly rawBody: Buffer;
}

const direct = new Agent();
const answerMs = 30_000;

/**
 * Sends a signed request: its path and its bytes go out as they were signed, and nothing is followed or repeated. Rejects
 * where no whole answer comes within 30 s. Sections 5.2 and 7.1.
 */
export async function send({ method, target, headers, rawBody }: SignedRequest, to: Service): Promise<Answer> {
  const { origin, pathname } = new URL(to.baseUrl);
  const { statusCode, body } = await (to.dispatcher ?? direct).request({
    origin,
    path: `${pathname === '/' ? '' : pathname}${target}`,
    method,
    headers: headers.flat(),
    body: rawBody ?? null,
    signal: AbortSignal.timeout(answerMs),
  });
  return { status: statusCode, rawBody: Buffer.from(await body.arrayBuffer()) };
}

/** The same, and again after each 429, later each time, so often at most. `signed` signs anew: timestamps grow old. Section 7.2. */
export async function sendPatiently(signed: () => SignedRequest, to: Service, mostTries = 6): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send(signed(), to);
    if (answer.status !== 429 || tries >= mostTries) return answer;
    await sleep(backoffMs(tries - 1, Math.random));
  }
}

/**
 * How long to wait after the `attempt`-th 429 in a row (from 0), in milliseconds: 1 s, doubling to 30 s, of which jitter
 * takes up to half away. `random` gives a number from 0 up to 1. Section 7.2.
 */
export function backoffMs(attempt: number, random: () => number): number {
  const fullMs = Math.min(limits.backoffFirstSeconds * 2 ** attempt, limits.backoffLastSeconds) * 1000;
  return fullMs * (1 - random() / 2);
}
