import {
  cancelInvoice,
  issueInvoice,
  queryInvoice,
  associateCertificate,
  registerCompany,
  registerWebhook,
} from './invoices.ts';
import { knownDocuments, recordOf, download, documentOf } from './documents.ts';
import { echo, lookUpCnpj, lookUpCpf, lookUpChave, verifyDocument } from './verification.ts';
import { type Answer, type Received, asciiJson, plain, passed } from './gateway.ts';
import {
  type Application,
  type World,
  newWorld,
  type ApplicationCondition,
  type Counters,
  settingsOf,
  type ForeignOptions,
} from './world.ts';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { attempt, newEventId } from './deliveries.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Answers a request that the gateway let pass; variables are those of the path, decoded. */
type Handler = (request: Received, owner: Application, world: World, variables: readonly string[]) => Answer;

/** The eleven endpoints. Section 4. */
const endpoints: readonly (readonly [method: string, path: string, handler: Handler])[] = [
  ['POST', '/openapi/demo/echo', echo],
  ['POST', '/openapi/v2/empresas', registerCompany],
  ['POST', '/openapi/v1/empresas/*/certificadoDigital', associateCertificate],
  ['POST', '/openapi/v1/webhooks', registerWebhook],
  ['POST', '/openapi/v2/empresas/*/nf-e', issueInvoice],
  ['GET', '/openapi/v2/empresas/*/nf-e/*', queryInvoice],
  ['DELETE', '/openapi/v2/empresas/*/nf-e/*', cancelInvoice],
  ['POST', '/openapi/v3/consultas/nf-e/xml', verifyDocument],
  ['GET', '/openapi/v3/consultas/nf-e/*', lookUpChave],
  ['GET', '/openapi/v3/consultas/cnpj/*', lookUpCnpj],
  ['GET', '/openapi/v3/consultas/cpf/*/*', lookUpCpf],
];

/** The nine retired paths with what their 410 names: with method, with field, filled in, as it comes. Section 4.3. */
const retired: readonly (readonly [method: string, path: string, replacement: string])[] = [
  ['POST', '/openapi/nfe/invoice/create', 'POST /openapi/v2/empresas/{id}/nf-e'],
  ['POST', '/openapi/nfe/invoice/query', '/openapi/v2/empresas/{id}/nf-e/{numero}'],
  ['POST', '/openapi/nfe/invoice/cancel', 'DELETE /openapi/v2/empresas/{id}/nf-e/{numero}'],
  ['POST', '/openapi/nfe/invoice/status', '/openapi/v2/empresas/{id}/nf-e/{numero} (status)'],
  ['POST', '/openapi/nfe/invoice/danfe', '/openapi/v2/empresas/{id}/nf-e/{numero}#linkDanfe'],
  ['POST', '/openapi/nfe/verify/xml', 'POST /openapi/v3/consultas/nf-e/xml'],
  ['POST', '/openapi/nfe/verify/chave', '/openapi/v3/consultas/nf-e/{44}'],
  ['GET', '/openapi/cadastro/cnpj/*', '/openapi/v3/consultas/cnpj/$1'],
  ['GET', '/openapi/cadastro/cpf/*/*', '/openapi/v3/consultas/cpf/{cpf}/{ddmmaaaa}'],
];

/** Where a request leads. */
type Route =
  | { readonly kind: 'endpoint'; readonly handler: Handler; readonly variables: readonly string[] }
  | { readonly kind: 'retired'; readonly replacement: string }
  | { readonly kind: 'other-method' }
  | { readonly kind: 'none' };

/** The route of a method and a path as it was sent. */
function routeOf(method: string, path: string): Route {
  for (const [wanted, pattern, handler] of endpoints) {
    const variables = wanted === method ? variablesIn(path, pattern) : undefined;
    if (variables) return { kind: 'endpoint', handler, variables };
  }
  for (const [wanted, pattern, replacement] of retired) {
    const variables = wanted === method ? variablesIn(path, pattern) : undefined;
    if (variables) return { kind: 'retired', replacement: replacement.replace('$1', () => variables[0] ?? '') };
  }
  const isKnown = [...endpoints, ...retired].some(([, pattern]) => variablesIn(path, pattern));
  return { kind: isKnown ? 'other-method' : 'none' };
}

/** What stands for the stars of a pattern; `undefined` where the path is another one. */
function variablesIn(path: string, pattern: string): readonly string[] | undefined {
  const [parts, wanted] = [path.split('/'), pattern.split('/')];
  if (parts.length !== wanted.length) return undefined;
  if (wanted.some((part, at) => (part === '*' ? parts[at] === '' : part !== parts[at]))) return undefined;
  return parts.filter((_, at) => wanted[at] === '*').map(decoded);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A right server that nobody of this project's simulator wrote: the suite is to accuse it of nothing. */
export interface ForeignServer {
  /** With a prefix of its own. */
  readonly baseUrl: string;
  /** One of each condition; `rotated` belongs to nobody any more. */
  readonly secrets: Readonly<Record<ApplicationCondition | 'rotated', string>>;
  /** Of the active application. */
  readonly appKey: string;
  readonly appName: string;
  /** What really happened here so far. */
  readonly sent: Readonly<Counters>;
  /** Saves an address for the active application's verdicts, if it acknowledges its test; whether it did. Section 6.5. */
  saveVerificationUrl(url: string): Promise<boolean>;
  stop(): Promise<void>;
}

/** In front of `/openapi`; never signed. */
const prefix = '/nfe-gw';

/** Starts one on a free port of this machine, with an application in each condition. */
export async function startForeign(options: ForeignOptions = {}): Promise<ForeignServer> {
  const world = newWorld(settingsOf(options));
  world.records.set(knownDocuments.sound.chave, recordOf(knownDocuments.sound));
  world.records.set(knownDocuments.cancelled.chave, recordOf(knownDocuments.cancelled, 'Cancelada'));
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing, world));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  world.baseUrl = `http://127.0.0.1:${port}${prefix}`;
  const active = applicationIn('active', world);
  return {
    baseUrl: world.baseUrl,
    secrets: secretsOf(world),
    appKey: active.key,
    appName: active.name,
    sent: world.counters,
    saveVerificationUrl: (url) => saveVerificationUrl(active, url, world),
    async stop() {
      world.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function applicationIn(condition: ApplicationCondition, world: World): Application {
  const found = world.applications.values().find((application) => application.condition === condition);
  if (!found) throw new Error(`no application is ${condition}`);
  return found;
}

function secretsOf(world: World): ForeignServer['secrets'] {
  const secret = (condition: ApplicationCondition): string => applicationIn(condition, world).secret;
  return {
    active: secret('active'),
    disabled: secret('disabled'),
    pending: secret('pending'),
    rejected: secret('rejected'),
    integratorDisabled: secret('integratorDisabled'),
    unsubscribed: secret('unsubscribed'),
    rateLimited: secret('rateLimited'),
    rotated: randomBytes(24).toString('base64url'),
  };
}

async function saveVerificationUrl(application: Application, url: string, world: World): Promise<boolean> {
  const [eventType, eventId] = ['webhook.verify', newEventId()];
  const occurred = new Date(world.nowMs()).toISOString();
  const body = { version: '1.0', event_id: eventId, event_type: eventType, occurred_at: occurred, data: {} };
  const isAcknowledged = await attempt({ url, eventType, eventId, body, secret: application.secret }, world);
  if (isAcknowledged) application.verdictUrls = [url];
  return isAcknowledged;
}

async function serve(incoming: IncomingMessage, outgoing: ServerResponse, world: World): Promise<void> {
  world.counters.requests += 1;
  try {
    const rawBody = await buffer(incoming);
    write(answerTo(incoming, rawBody, world), outgoing);
  } catch {
    outgoing.destroy();
  }
}

function answerTo({ method = '', url = '', headers }: IncomingMessage, rawBody: Buffer, world: World): Answer {
  if (!url.startsWith(`${prefix}/`)) return plain(404, 'nothing here');
  const [path = '', query = ''] = url.slice(prefix.length).split(/\?(.*)/s);
  if (path === '/arquivos') return download(new URLSearchParams(query).get('t') ?? '', world);
  const route = routeOf(method, path);
  if (route.kind === 'none') return plain(404, 'no such service');
  if (route.kind === 'other-method') return plain(405, 'no such method');
  const header = (name: string): string | undefined => headers[name]?.toString();
  const request: Received = { method, path, rawBody, header };
  const result = passed(request, route.kind === 'retired' ? route.replacement : undefined, world);
  if ('status' in result) return result;
  return route.kind === 'endpoint' ? route.handler(request, result, world, route.variables) : plain(404, 'gone');
}

/** Without a length: an empty body is an empty chunk. */
function write({ status, json, bytes, headers }: Answer, outgoing: ServerResponse): void {
  const content = json === undefined ? bytes?.content : Buffer.from(asciiJson(json));
  const type = json === undefined ? bytes?.type : 'application/json;charset=UTF-8';
  outgoing.writeHead(status, { ...headers, ...(type === undefined ? {} : { 'content-type': type }) });
  outgoing.flushHeaders();
  outgoing.end(content);
}

/** The settings of whoever knows a foreign server by its address and one secret, at full speed. */
export function secretSettings({ baseUrl, secrets }: ForeignServer): Record<string, string> {
  return { NFE_BASE_URL: baseUrl, NFE_APP_SECRET: secrets.active, NFE_MAX_RPS: '0' };
}

/** The settings of whoever has every credential, and a profile in that folder. */
export function credentialSettings(server: ForeignServer, profileFolder: string): Record<string, string> {
  const { appKey, appName, secrets } = server;
  return {
    ...secretSettings(server),
    NFE_APP_KEY: appKey,
    NFE_APP_NAME: appName,
    NFE_APP_SECRET_DISABLED: secrets.disabled,
    NFE_APP_SECRET_PENDING: secrets.pending,
    NFE_APP_SECRET_REJECTED: secrets.rejected,
    NFE_APP_SECRET_INTEGRATOR_DISABLED: secrets.integratorDisabled,
    NFE_APP_SECRET_UNSUBSCRIBED: secrets.unsubscribed,
    NFE_APP_SECRET_RATE_LIMITED: secrets.rateLimited,
    NFE_APP_SECRET_ROTATED: secrets.rotated,
    NFE_PROFILE: profileFolder,
  };
}

/** An issuance that is authorised there; denied with `irregular`, refused without `produtos`. */
const invoice = {
  cabecalho: { natureza: 'Venda', destinatario: { documento: '52998224725', nome: 'Pessoa de Exemplo' } },
  produtos: [{ sku: 'RESMA-A4', quantidade: 2, preco: '15.70' }],
};

/** Every file of a profile that comes out as promised at a strict foreign server. */
const files: Readonly<Record<string, unknown>> = {
  'empresa.json': { razao: 'Papelaria do Exemplo', documento: '11222333000181' },
  'outra-empresa.json': { razao: 'Livraria do Exemplo', documento: '11222333000262' },
  'certificado.json': { file: 'pkcs12', fields: { pin: 'pin-de-exemplo-31415' } },
  // The first bytes of PKCS#12; what follows nobody reads.
  'certificado.pfx': Buffer.from('3082000b0201033006', 'hex'),
  'outro-certificado.pfx': Buffer.from('3082000b0201033007', 'hex'),
  'nf-e.autorizada.json': invoice,
  'nf-e.negada.json': { ...invoice, cabecalho: { ...invoice.cabecalho, irregular: true } },
  'nf-e.invalida.json': { cabecalho: invoice.cabecalho },
  'verificacao.autorizada.xml': documentOf(knownDocuments.sound),
  'verificacao.rejeitada.xml': documentOf(knownDocuments.cancelled),
  'consultas.json': {
    cnpj: '11222333000181',
    cpf: '52998224725',
    nascimento: '29021988',
    unknown: { cnpj: '99999999000191', cpf: '99999999050', nascimento: '01011980' },
  },
};

/** Writes that profile into a folder, which is made if need be. */
export function writeForeignProfile(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const isRaw = typeof content === 'string' || Buffer.isBuffer(content);
    writeFileSync(join(folder, name), isRaw ? content : JSON.stringify(content, null, 2));
  }
}
