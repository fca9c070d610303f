import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { attempt, newEventId } from './deliveries.ts';
import { knownDocuments, recordOf } from './documents.ts';
import { passed } from './gateway.ts';
import { download } from './links.ts';
import { asciiJson, plain, type Answer, type Received } from './messages.ts';
import { settingsOf, type ForeignOptions } from './options.ts';
import { routeOf } from './routes.ts';
import { newWorld, type Application, type ApplicationCondition, type Counters, type World } from './world.ts';

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

/** Starts one on a free port of this machine, with an application in each condition. */
export async function startForeign(options: ForeignOptions = {}): Promise<ForeignServer> {
  const world = newWorld(settingsOf(options));
  world.records.set(knownDocuments.sound.chave, recordOf(knownDocuments.sound));
  world.records.set(knownDocuments.cancelled.chave, recordOf(knownDocuments.cancelled, 'Cancelada'));
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing, world));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  world.baseUrl = `http://127.0.0.1:${port}${world.settings.prefix}`;
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
  const { prefix } = world.settings;
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
