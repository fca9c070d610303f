import { gzipSync } from 'node:zlib';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { deliverySignature } from '../../../targets/testing/foreign/gateway.ts';
import {
  type ForeignServer,
  startForeign,
  credentialSettings,
  writeForeignProfile,
} from '../../../targets/testing/foreign/foreign-server.ts';
import { type Canary, cookie, canariesOf, ofProfile } from './canaries.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../folders.ts';
import { listening } from '../troubles/front.ts';
import { passedOn, type Passed } from '../runs.ts';

/** Gives the next canary, again and again. */
type Next = () => string;

/** A JSON answer of a right server with canaries in every kind of place; no member that was there is changed but a text that explains. */
function planted(value: unknown, next: Next): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.map((item, index) => (index === 0 ? planted(item, next) : item));
  }
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, ...places(next) };
}

function places(next: Next): Record<string, unknown> {
  return {
    outro: next(),
    dados: {
      nome: next(),
      message: `não consta: ${next()}`,
      mensagem: `"${next()}"`,
      status: next(),
      code: next(),
      nfeId: next(),
      linkDanfe: next(),
      nfeDataEmissao: next(),
      error: next(),
      [next()]: 1,
    },
    lista: [next(), [next()], { reason: next() }],
    texto: JSON.stringify({ nome: next(), message: next(), dentro: JSON.stringify({ a: next() }) }),
    xml: `<pessoa nome="${next()}"><xMotivo>${next()}</xMotivo></pessoa>`,
    numero: 39053344705,
    nascimento: 17111963,
  };
}

/** A body that is no answer of the contract, with the type that is said of it. */
interface Broken {
  readonly type: string;
  readonly body: Buffer | string;
  readonly encoding?: string;
}

/** Answers that no contract knows, one kind after the other. */
const brokenBodies: readonly ((next: Next) => Broken)[] = [
  (next) => ({
    type: 'text/html',
    body: `<html><title>${next()}</title><p id="${next()}">${next()}<!-- ${next()} -->`,
  }),
  (next) => ({
    type: 'text/xml',
    body: `<?xml version="1.0"?><erro><nome>${next()}</nome><message>${next()}</message>`,
  }),
  (next) => ({ type: 'text/plain', body: `${next()} ${next()}\r\n${next()}` }),
  (next) => ({
    type: 'application/octet-stream',
    body: Buffer.concat([Buffer.from([0, 255, 254, 1]), Buffer.from(next()), Buffer.from([0, 200])]),
  }),
  (next) => ({ type: 'application/pdf', body: `%PDF-1.4\n(${next()}) Tj\n(${next()}) Tj\n%%EOF` }),
  (next) => ({ type: 'application/json', body: `{"code": 10009002, "message": "${next()}", "nome": "${next()}` }),
  (next) => ({ type: 'application/json', body: JSON.stringify(next()) }),
  (next) => ({ type: 'application/json', body: JSON.stringify([[next()], next()]) }),
  (next) => ({
    type: 'application/json',
    body: gzipSync(JSON.stringify({ success: false, code: next(), message: next(), errorType: next() })),
    encoding: 'gzip',
  }),
  (next) => ({ type: 'text/plain; charset=iso-8859-1', body: Buffer.from(`usuário ${next()} ${next()}`, 'latin1') }),
  (next) => ({ type: 'text/plain; charset=utf-16', body: Buffer.from(`\ufeff${next()} ${next()}`, 'utf16le') }),
  (next) => ({ type: 'application/x-www-form-urlencoded', body: `nome=${encodeURIComponent(next())}&k=${next()}` }),
  (next) => ({ type: next(), body: `{"requestId": "${encodeURIComponent(next())}"}` }),
];

/** What broken answers are said to be, one after the other. */
const statuses = [200, 400, 401, 403, 404, 410, 429, 500] as const;

/** Headers of every answer. */
function plantedHeaders(next: Next, cookie: string): Record<string, string> {
  return {
    'set-cookie': `SESSION=${cookie}; Path=/; HttpOnly`,
    'x-trace': next(),
    'x-powered-by': next(),
    server: next(),
    etag: `"${next()}"`,
    link: `</d/kWzTnRcYhPdMvLxq>; rel="next"`,
    location: '/d/f3a9c1d27be84f60?t=Zt8-vKq2_LmXw9Rb',
    'www-authenticate': `Bearer realm="${next()}"`,
    'content-disposition': `attachment; filename="${next()}.xml"`,
    [`x-${inName(next())}`]: '1',
  };
}

/** A text as the name of a header takes it. */
function inName(text: string): string {
  return /^[\w.~%-]{1,50}$/.test(text) ? text : Buffer.from(text).toString('base64url');
}

/** A text as a header takes it. */
function inHeader(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, ' ').trim();
}

/** A server that gives everything away that it knows. */
interface TalkativeServer {
  readonly baseUrl: string;
  /** How often each canary was sent, by its kind. */
  readonly sent: ReadonlyMap<string, number>;
  /** Where callbacks were asked for. */
  readonly hooks: ReadonlySet<string>;
  stop(): Promise<void>;
}

/** What one answers with, besides what it gives away. */
interface Manners {
  /** Every such refusal is no answer of the contract; 0: none is. */
  readonly breaksEvery: number;
  /** So many refusals first are as they should be, so that a run begins. */
  readonly rightFirst: number;
}

/** Starts one before a right server: its answers say what they said, and much more; some are broken. */
async function startTalkative(
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
  const { port, stop } = await listening(http);
  const ownOrigin = `http://127.0.0.1:${port}`;
  return {
    baseUrl: server.baseUrl.replace(origin, () => ownOrigin),
    sent,
    hooks,
    stop,
  };
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

/** A server that gives away what it knows, and the settings of whoever tests it with every credential and a profile of people. */
export interface Staged {
  readonly server: TalkativeServer;
  readonly canaries: readonly Canary[];
  readonly settings: Record<string, string>;
  /** A token of a control API that the server gives away as well. */
  readonly controlToken: string;
  stop(): Promise<void>;
}

/** Of an application, with what base64 and URLs have of marks. */
export const appSecret = 'Qz7/vX+k9=Wp~Re&4mTyYb_Hs2%41Jd.8cLg';

const controlToken = 'kB6-cTr9vLxQ2wZp';
const proxyPassword = 'pX7.rVw-3kQz9mLt';
const certificatePassword = 'cErt-9pLm2xKw7-Vz';

/** Starts one; its profile is written into that folder. */
export async function staged(profile: string, manners: Manners): Promise<Staged> {
  const foreign = await startForeign({ secret: appSecret, settleMs: 100 });
  writeProfile(profile);
  const { active, ...others } = foreign.secrets;
  const named = new Map([
    ...Object.entries(others),
    ['control token', controlToken] as const,
    ['proxy password', proxyPassword] as const,
    ['certificate password', certificatePassword] as const,
  ]);
  const canaries = canariesOf({ app: active, others: named });
  const server = await startTalkative(foreign, canaries, manners);
  const place = `127.0.0.1:${await freePort()}`;
  const settings = {
    ...credentialSettings({ ...foreign, baseUrl: server.baseUrl }, profile),
    // Paced, a run makes each check on fewer examples: a third of the answers are broken, and each break is waited for.
    NFE_MAX_RPS: '50',
    HTTP_PROXY: `http://integrador:${proxyPassword}@127.0.0.1:9`,
    NO_PROXY: '127.0.0.1',
    NFE_WEBHOOK_LISTEN: place,
    NFE_WEBHOOK_PUBLIC_URL: `http://${place}/hooks`,
    NFE_SETTLE_TIMEOUT: '2',
    NFE_NUM_RUNS: '2',
    NFE_SEED: '1729',
  };
  return {
    server,
    canaries,
    settings,
    controlToken,
    async stop() {
      await server.stop();
      await foreign.stop();
    },
  };
}

/** The profile that the right server takes, with people in it. */
function writeProfile(folder: string): void {
  writeForeignProfile(folder);
  const { cpf, nome, email, telefone, logradouro } = ofProfile;
  const destinatario = { cpf, nome, email, telefone, endereco: { logradouro } };
  const cabecalho = { natureza: 'Venda', destinatario };
  const produtos = [{ sku: 'RESMA-A4', quantidade: 2, preco: '15.70' }];
  const files = {
    'certificado.json': { file: 'pkcs12', fields: { pin: certificatePassword } },
    'nf-e.autorizada.json': { cabecalho, produtos },
    'nf-e.negada.json': { cabecalho: { ...cabecalho, irregular: true }, produtos },
    'nf-e.invalida.json': { cabecalho },
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
}
