import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, afterEach } from 'vitest';
import type { LookupFunction } from 'node:net';
import { registerCallback } from '../endpoints/webhook-registration.ts';
import type { Application, Clock, Channel, DeliveryRecord } from '../model.ts';
import { referenceRules, type Rules } from '../rules/rules.ts';
import type { Service, ServiceParts } from '../service.ts';
import { openDatabase } from '../state/database.ts';
import { openState } from '../state/state.ts';
import { Timeline, type Wait } from '../timeline.ts';
import { deliveries } from '../webhooks/deliveries.ts';
import { queueEvent } from '../webhooks/events.ts';
import { openSender, type Sender } from '../webhooks/sender.ts';
import { portOf } from '../../targets/testing/served.ts';

/** A request that came to an address of a test's receiver. */
export interface Arrival {
  readonly method: string;
  /** As it stands on the request line. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
  readonly bodyText: string;
  /** By the `X-Service-…` headers. */
  readonly eventId: string;
  readonly deliveryId: string;
  readonly timestamp: number;
}

/** How an arrival is answered: a status, a connection that is cut, or by hand. `index` counts an address's arrivals from 0. */
export type Script = (
  arrival: Arrival,
  index: number,
) => number | 'reset' | ((response: ServerResponse) => void) | Promise<number>;

/** An address of the receiver. */
export interface Address {
  readonly url: string;
  readonly arrivals: Arrival[];
  /** How the next ones are answered. */
  script: Script;
  /** Waits until so many have arrived. */
  readonly arrived: (count: number) => Promise<void>;
}

/** Receives the deliveries of the tests of one file. */
interface Receiver {
  readonly origin: string;
  /** A new address; acknowledges everything without a script. */
  address(script?: Script): Address;
}

interface Mailbox extends Address {
  readonly waiting: Set<() => void>;
}

/** Starts a receiver before the tests of the file and stops it after them. */
export function runningReceiver(): Receiver {
  const opened = openReceiver();
  let origin = '';
  beforeAll(async () => {
    origin = await opened.listen();
  });
  afterAll(() => opened.close());
  return {
    get origin() {
      return origin;
    },
    address: (script) => opened.address(script),
  };
}

/** A receiver that the caller starts and stops. */
function openReceiver(): Receiver & { listen(): Promise<string>; close(): void } {
  const mailboxes = new Map<string, Mailbox>();
  let origin = '';
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const target = incoming.url ?? '';
      const mailbox = mailboxes.get(/^\/\d+/.exec(target)?.[0] ?? '');
      if (mailbox) void receive(mailbox, arrivalOf(incoming.method ?? '', target, incoming.headers, chunks), response);
      else response.writeHead(404).end();
    });
  });
  return {
    get origin() {
      return origin;
    },
    address(script = () => 200) {
      const path = `/${mailboxes.size + 1}`;
      const mailbox: Mailbox = {
        url: `${origin}${path}`,
        arrivals: [],
        script,
        waiting: new Set(),
        arrived: (count) => arrived(mailbox, count),
      };
      mailboxes.set(path, mailbox);
      return mailbox;
    },
    async listen() {
      origin = `http://127.0.0.1:${await portOf(server)}`;
      return origin;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function arrivalOf(method: string, target: string, headers: IncomingHttpHeaders, chunks: readonly Buffer[]): Arrival {
  const rawBody = Buffer.concat(chunks);
  const header = (name: string): string => String(headers[name] ?? '');
  return {
    method,
    target,
    headers,
    rawBody,
    bodyText: rawBody.toString('utf8'),
    eventId: header('x-service-event-id'),
    deliveryId: header('x-service-delivery-id'),
    timestamp: Number(header('x-service-timestamp')),
  };
}

async function receive(mailbox: Mailbox, arrival: Arrival, response: ServerResponse): Promise<void> {
  mailbox.arrivals.push(arrival);
  for (const check of mailbox.waiting) check();
  const answer = await mailbox.script(arrival, mailbox.arrivals.length - 1);
  if (answer === 'reset') response.socket?.resetAndDestroy();
  else if (typeof answer === 'function') answer(response);
  else response.writeHead(answer).end();
}

function arrived(mailbox: Mailbox, count: number): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (mailbox.arrivals.length < count) return;
      mailbox.waiting.delete(check);
      resolve();
    };
    mailbox.waiting.add(check);
    check();
  });
}

/** Where the test clocks start, in Unix milliseconds: 2031-05-17T09:30:00Z. */
export const startMs = 1_936_776_600_000;

/** When deliveries came, in seconds since then. */
export function secondsOf({ arrivals }: Pick<Address, 'arrivals'>): number[] {
  return arrivals.map(({ timestamp }) => timestamp - startMs / 1000);
}

/** What delivers, without the rest of a simulator: events are put in by hand. */
export interface WebhookService extends Service {
  application(clock?: Clock): Application;
  /** Has events of the channel sent to those addresses, the issuance ones with a token. */
  subscribe(application: Application, channel: Channel, ...urls: string[]): void;
  /** Registers an address for issuance callbacks, as the endpoint does. */
  register(application: Application, url: string, token?: string): void;
  /** Puts an event into the outbox and starts what is due. */
  push(application: Application, channel: Channel, data?: object): void;
  advance(application: Application, seconds: number, wait?: Wait): Promise<number>;
  deliveriesOf(application: Application): DeliveryRecord[];
  stop(): Promise<void>;
}

interface WebhookServiceOptions {
  readonly dataFile?: string;
  readonly rules?: Partial<Rules>;
  readonly lookup?: LookupFunction;
  readonly publicCallbacksOnly?: boolean;
  readonly sender?: Sender;
}

/** Opens services that are stopped after each test. */
export function webhookServices(): (options?: WebhookServiceOptions) => WebhookService {
  const opened: WebhookService[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((service) => service.stop()));
  });
  return (options = {}) => {
    const service = openWebhookService(options);
    opened.push(service);
    return service;
  };
}

/** Opens a service that the caller stops. */
function openWebhookService(options: WebhookServiceOptions): WebhookService {
  const { lookup, publicCallbacksOnly = false } = options;
  const database = openDatabase(options.dataFile);
  const state = openState(database);
  const sender =
    options.sender ?? openSender({ publicCallbacksOnly, redirectsFollowed: 0, ...(lookup ? { lookup } : {}) });
  const rules = { ...referenceRules, ...options.rules };
  const parts: ServiceParts = { rules, state, publicUrl: () => 'http://simulator', headerPrefix: 'X-Service', sender };
  const timeline = new Timeline(state.applications, deliveries(parts));
  timeline.start();
  const register = (appKey: string, url: string, token = 'registered-token'): void => {
    registerCallback({ appKey, url, token }, nowOf(parts, appKey), parts);
    timeline.touch(appKey);
  };
  let stopping: Promise<void> | undefined;
  return {
    ...parts,
    timeline,
    application: (clock = startMs) => state.applications.create({ clock }).application,
    subscribe({ appKey }, channel, ...urls) {
      if (channel === 'verification') state.webhooks.setVerificationUrls(appKey, urls);
      else for (const url of urls) register(appKey, url);
    },
    register: ({ appKey }, url, token) => register(appKey, url, token),
    push({ appKey }, channel, data = { some: 'data' }) {
      const event = { appKey, eventType: 'test.event', createdMs: nowOf(parts, appKey) };
      state.transaction(() => queueEvent(channel, event, parts, (eventId) => ({ eventId, ...data })));
      timeline.touch(appKey);
    },
    advance: ({ appKey }, seconds, wait = 'attempts') => timeline.advance(appKey, seconds * 1000, wait),
    deliveriesOf: ({ appKey }) => state.deliveryRecords(appKey),
    stop: () => (stopping ??= timeline.stop().then(() => database.close())),
  };
}

function nowOf({ state }: ServiceParts, appKey: string): number {
  const clock = state.applications.findByKey(appKey)?.clock ?? 'system';
  return clock === 'system' ? Date.now() : clock;
}

/** Attempts that the whole ladder of one failing delivery takes. */
export const attemptsOfLadder = 6;

/** Refuses everything at once, so that what is left is the cost of the books. */
const refusing: Sender = {
  send: async () => ({ status: 500, headers: {}, rest: Promise.resolve() }),
  refusal: async () => undefined,
  close: async () => undefined,
};

/**
 * Takes so many deliveries of one application, all pending at once, through their whole ladder; gives the processor time of
 * this thread in milliseconds, which is the same however busy the machine is.
 */
export async function climbLadder(deliveries: number): Promise<number> {
  const service = openWebhookService({ sender: refusing });
  const application = service.application();
  service.subscribe(application, 'verification', 'http://receiver.example');
  for (let pushed = 0; pushed < deliveries; pushed++) service.push(application, 'verification');
  const before = process.threadCpuUsage();
  await service.advance(application, 24 * 3600);
  const { user, system } = process.threadCpuUsage(before);
  await service.stop();
  return (user + system) / 1000;
}
