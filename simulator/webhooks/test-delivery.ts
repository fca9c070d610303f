import { nowMs } from '../clock.ts';
import type { Application } from '../model/application.ts';
import type { ServiceParts } from '../service.ts';
import { deliveryRequest } from './request.ts';
import { verdictBody } from './verdict-event.ts';

/** Sends one test event to each address of a new list; gives a sentence for each that does not acknowledge it. Section 6.5. */
export async function testAddresses(
  application: Application,
  urls: readonly string[],
  parts: ServiceParts,
): Promise<string[]> {
  const { appKey, clock } = application;
  const { verdictEvent, webhookDelivery } = parts.rules;
  const { testEventType, testData } = verdictEvent;
  const atMs = nowMs(clock);
  const eventId = webhookDelivery.newEventId();
  const rawBody = Buffer.from(JSON.stringify(verdictBody(eventId, testEventType, testData, atMs, verdictEvent)));
  const event = { appKey, channel: 'verification', eventId, eventType: testEventType, rawBody, token: null } as const;
  const failures = urls.map(async (url): Promise<string[]> => {
    const deliveryId = webhookDelivery.newDeliveryId();
    const request = deliveryRequest({ ...event, url, deliveryId, createdMs: atMs, startedMs: atMs }, parts);
    const sent = await parts.sender.send(request, timeLimit(webhookDelivery.timeoutSeconds));
    if ('error' in sent) return [`${url} did not acknowledge its test delivery: ${sent.error}.`];
    if (webhookDelivery.isAcknowledged(sent.status)) return [];
    return [`${url} answered its test delivery with ${sent.status}, not with 2xx.`];
  });
  return (await Promise.all(failures)).flat();
}

function timeLimit(seconds: number): AbortSignal {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${seconds} seconds`)), seconds * 1000);
  timer.unref();
  return controller.signal;
}
