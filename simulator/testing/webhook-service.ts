import type { LookupFunction } from 'node:net';
import { afterEach } from 'vitest';
import { registerCallback } from '../endpoints/webhook-registration.ts';
import type { Application, Clock } from '../model/application.ts';
import type { Channel, DeliveryRecord } from '../model/delivery.ts';
import { referenceRules, type Rules } from '../rules/rules.ts';
import type { Service, ServiceParts } from '../service.ts';
import { openDatabase } from '../state/database.ts';
import { openState } from '../state/state.ts';
import { Timeline, type Wait } from '../timeline.ts';
import { deliveries } from '../webhooks/deliveries.ts';
import { queueEvent } from '../webhooks/events.ts';
import { openSender, type Sender } from '../webhooks/sender.ts';

/** Where the test clocks start, in Unix milliseconds: 2031-05-17T09:30:00Z. */
export const startMs = 1_936_776_600_000;

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
