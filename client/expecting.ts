import { request as plainRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as safeRequest } from 'node:https';
import { headerBytes, responseOf, within, type Allowance, type Response } from './reception.ts';

/** A request that asks before it sends its body. */
export interface Expecting {
  readonly url: URL;
  /** From the origin on, as it is to stand on the request line. */
  readonly path: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** Certificates (PEM) that are trusted. */
  readonly ca: readonly string[] | undefined;
}

/** How long a server may keep silent until the body goes out all the same: it may never have heard of asking. */
const silenceMs = 1000;

/** Sends with `Expect: 100-continue`, which undici refuses to: the body goes out once it is asked for. RFC 9110, section 10.1.1. */
export function receiveExpecting(
  { url, path, method, headers, body, ca }: Expecting,
  allowance: Allowance,
): Promise<Response> {
  return within(allowance, async ({ signal }) => {
    const asked = (url.protocol === 'https:' ? safeRequest : plainRequest)(url, {
      path,
      method,
      headers: ['host', url.host, ...headers.flat(), 'expect', '100-continue', 'content-length', String(body.length)],
      agent: false,
      maxHeaderSize: headerBytes,
      signal,
      ...(ca ? { ca: [...ca] } : {}),
    });
    const silence = setTimeout(() => asked.end(body), silenceMs);
    asked.once('continue', () => asked.end(body));
    asked.flushHeaders();
    try {
      const answer = await answerOf(asked);
      const { statusCode: status = 0, rawHeaders, socket } = answer;
      return await responseOf(
        {
          status,
          headers: rawHeaders,
          body: answer,
          over: {
            port: socket.localPort ?? 0,
            ...(socket.remoteAddress === undefined ? {} : { peer: socket.remoteAddress }),
          },
        },
        allowance.bodyBytes,
      );
    } finally {
      clearTimeout(silence);
      asked.destroy();
    }
  });
}

function answerOf(asked: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked.once('response', resolve);
    asked.on('error', reject);
  });
}
