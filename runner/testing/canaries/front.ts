import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { deliverySignature } from '../../../targets/testing/foreign/gateway.ts';
import type { ForeignServer } from '../../../targets/testing/foreign/foreign-server.ts';
import type { Canary } from './canary.ts';
import { cookie } from './canaries.ts';
import { brokenBodies, inHeader, planted, plantedHeaders, statuses, type Next } from './planting.ts';

/** A server that gives everything away that it knows. */
export interface TalkativeServer {
  readonly baseUrl: string;
  /** How often each canary was sent, by its kind. */
  readonly sent: ReadonlyMap<string, number>;
  /** Where callbacks were asked for. */
  readonly hooks: ReadonlySet<string>;
  stop(): Promise<void>;
}

/** What one answers with, besides what it gives away. */
export interface Manners {
  /** Every such refusal is no answer of the contract; 0: none is. */
  readonly breaksEvery: number;
  /** So many refusals first are as they should be, so that a run begins. */
  readonly rightFirst: number;
}

interface Passed {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Starts one before a right server: its answers say what they said, and much more; some are broken. */
export async function startTalkative(
  server: ForeignServer,
  canaries: readonly Canary[],
  { breaksEvery, rightFirst }: Manners,
): Promise<TalkativeServer> {
  const sent = new Map<string, number>();
  const hooks = new Set<string>();
  let [count, refusals] = [0, 0];
  const next: Next = () => {
    const { kind = '', text = '' } = canaries[count % canaries.length] ?? {};
    count += 1;
    sent.set(kind, (sent.get(kind) ?? 0) + 1);
    return text;
  };
  const { origin } = new URL(server.baseUrl);
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await buffer(incoming);
    const passed = await passedOn(origin, incoming, body);
    if (passed.status >= 400) refusals += 1;
    const isDue = passed.status >= 400 && refusals > rightFirst && refusals % breaksEvery === 0;
    // Always the same breach, so that it is known what is found.
    const isBroken = breaksEvery > 0 && (isDue || passed.status === 422);
    if (isBroken) breakOff(outgoing, Math.floor(refusals / breaksEvery), next);
    else passBack(outgoing, passed, next, (text) => text.replaceAll(origin, ownOrigin));
    if (incoming.url?.endsWith('/webhooks') === true && passed.status === 200) {
      hooks.add(body.toString());
      void deliver(body.toString(), server.secrets.active, next);
    }
  };
  const http = createServer((incoming, outgoing) => void serve(incoming, outgoing).catch(() => outgoing.destroy()));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  const ownOrigin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`;
  return {
    baseUrl: server.baseUrl.replace(origin, () => ownOrigin),
    sent,
    hooks,
    stop() {
      http.closeAllConnections();
      return new Promise((resolve) => http.close(() => resolve()));
    },
  };
}

function passedOn(origin: string, { method, url = '', rawHeaders }: IncomingMessage, body: Buffer): Promise<Passed> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const onward = httpRequest({ hostname, port, method, path: url, headers: rawHeaders }, (answer) => {
      const { statusCode: status = 500, headers } = answer;
      buffer(answer).then((bytes) => resolve({ status, headers, body: bytes }), reject);
    });
    onward.on('error', reject);
    onward.end(body);
  });
}

function passBack(
  outgoing: ServerResponse,
  { status, headers, body }: Passed,
  next: Next,
  here: (text: string) => string,
): void {
  const type = headers['content-type'] ?? '';
  writeHead(outgoing, status, next, type);
  outgoing.write(bodyOf(here(body.toString()), type, next));
  outgoing.addTrailers({ 'x-end': inHeader(next()) });
  outgoing.end();
}

function bodyOf(text: string, type: string, next: Next): string {
  if (type.includes('json')) return JSON.stringify(planted(JSON.parse(text), next));
  if (type.includes('xml')) return text.replace('</nfeProc>', () => `<obs>${next()}</obs><!-- ${next()} --></nfeProc>`);
  return type === '' ? text : `${text}\n${next()}`;
}

function writeHead(outgoing: ServerResponse, status: number, next: Next, type: string, encoding?: string): void {
  outgoing.setHeader('trailer', 'x-end');
  for (const [name, value] of Object.entries(plantedHeaders(next, cookie))) outgoing.setHeader(name, inHeader(value));
  if (type !== '') outgoing.setHeader('content-type', inHeader(type));
  if (encoding !== undefined) outgoing.setHeader('content-encoding', encoding);
  outgoing.writeHead(status, inHeader(next()).slice(0, 200));
}

/** An answer of no contract; one in so many is none of HTTP, either. */
function breakOff(outgoing: ServerResponse, count: number, next: Next): void {
  const { socket } = outgoing;
  if (count % 9 === 8 && socket) {
    socket.end(
      `HTTP/1.1 200 ${inHeader(next())}\r\nx-a: ${inHeader(next())}\r\ntransfer-encoding: chunked\r\n\r\nZ;a=${inHeader(next())}\r\n${next()}`,
    );
    return;
  }
  const broken = brokenBodies[count % brokenBodies.length]?.(next);
  if (!broken) return;
  writeHead(outgoing, statuses[count % statuses.length] ?? 500, next, broken.type, broken.encoding);
  outgoing.end(broken.body);
}

/** A delivery that nobody waits for, rightly signed, then one that is not. */
async function deliver(registration: string, secret: string, next: Next): Promise<void> {
  const parsed: unknown = JSON.parse(registration);
  if (typeof parsed !== 'object' || parsed === null || !('uri' in parsed) || !('token' in parsed)) return;
  for (const isSigned of [true, false]) {
    const rawBody = Buffer.from(JSON.stringify(planted({ nfeId: next(), nfeStatus: next() }, next)));
    const timestamp = String(Math.floor(Date.now() / 1000));
    const headers = {
      ...Object.fromEntries(Object.entries(plantedHeaders(next, cookie)).map(([name, text]) => [name, inHeader(text)])),
      'content-type': 'application/json',
      token: isSigned ? String(parsed.token) : inHeader(next()),
      'x-service-event': isSigned ? 'nfe.resultado' : inHeader(next()),
      'x-service-event-id': inHeader(next()),
      'x-service-delivery-id': inHeader(next()),
      'x-service-timestamp': timestamp,
      'x-service-signature': isSigned ? deliverySignature(secret, timestamp, rawBody) : inHeader(next()),
    };
    const target = `${String(parsed.uri)}?q=${encodeURIComponent(next())}`;
    await new Promise<void>((resolve) => {
      const request = httpRequest(target, { method: 'POST', headers }, (answer) => answer.resume().on('end', resolve));
      request.on('error', () => resolve());
      request.end(rawBody);
    });
  }
}
