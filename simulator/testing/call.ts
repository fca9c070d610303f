import { createHash } from 'node:crypto';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';

/** A request of a unit test, sent as it stands; an array as a header's value sends the header that often. */
export interface TestCall {
  readonly method?: string;
  /** The target of the request line. */
  readonly target: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  /** Ends the wait for an answer. */
  readonly signal?: AbortSignal;
}

/** What came back; `json` is `undefined` for no content. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly bodyText: string;
  readonly json: unknown;
}

/** Sends a request on a connection of its own. */
export function send(baseUrl: string, call: TestCall): Promise<TestAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const { method = 'GET', target, headers = {}, body, signal } = call;
    const options = { hostname, port, method, path: target, agent: false, ...(signal ? { signal } : {}) };
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const outgoing = httpRequest({ ...options, headers: { ...length, ...headers } }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const bodyText = Buffer.concat(chunks).toString('utf8');
        const json: unknown = bodyText === '' ? undefined : JSON.parse(bodyText);
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bodyText, json });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** A correct echo request, or one with parts replaced; `signed…` replaces only what `sign` is made from. */
export function echoCall(token: string, parts: Partial<SignedCall> = {}): TestCall {
  return signedCall({ token, method: 'POST', target: '/openapi/demo/echo', body: '{"message":"hello"}', ...parts });
}

export interface SignedCall {
  readonly token: string;
  readonly method?: string;
  readonly target: string;
  readonly body?: string | Buffer;
  readonly timestamp?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly signedPath?: string;
  readonly signedBody?: string | Buffer;
}

/** A request with its three signature headers, made here by hand; headers given win over them. Section 5.2. */
export function signedCall(parts: SignedCall): TestCall {
  const { token, method = 'GET', target, body = '', timestamp = systemSeconds(), headers = {} } = parts;
  const path = parts.signedPath ?? target.split('?')[0] ?? '';
  const signed = parts.signedBody ?? body;
  const sign = createHash('md5').update(token).update(path).update(signed).update(timestamp).digest('hex');
  return { method, target, headers: { token, timestamp, sign, ...headers }, body };
}

/** The system's time as a timestamp header has it. */
export function systemSeconds(offsetSeconds = 0): string {
  return String(Math.floor(Date.now() / 1000) + offsetSeconds);
}
