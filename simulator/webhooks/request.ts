import { createHmac } from 'node:crypto';
import { type Application, nowMs } from '../model/application.ts';
import type { Outgoing } from '../model/delivery.ts';
import type { DeliveryRequest } from '../rules/webhook-delivery.ts';
import type { WebhookSignatureRules } from '../rules/webhook-signature.ts';
import type { ServiceParts } from '../service.ts';
import { verdictBody } from './events.ts';

/** The request that an attempt sends, signed anew. Section 6.1. */
export function deliveryRequest(outgoing: Outgoing, { rules, state, headerPrefix }: ServiceParts): DeliveryRequest {
  const { method, contentType, headerNames, eventId, token, body, request } = rules.webhookDelivery;
  const secrets = state.applications.secretsOf(outgoing.appKey);
  const rawBody = body(outgoing);
  const { timestamp, signature } = signDelivery({ ...outgoing, rawBody }, secrets, rules.webhookSignature);
  const names = headerNames(headerPrefix);
  const sentToken = token(outgoing);
  const right: DeliveryRequest = {
    method,
    url: outgoing.url,
    headers: {
      'content-type': contentType,
      'user-agent': 'nfe-simulator',
      [names.event]: outgoing.eventType,
      [names.eventId]: eventId(outgoing),
      [names.deliveryId]: outgoing.deliveryId,
      [names.timestamp]: timestamp,
      [names.signature]: signature,
      ...(sentToken === undefined ? {} : { token: sentToken }),
    },
    rawBody,
  };
  return request(right, outgoing);
}

/** The timestamp and the signature of an attempt, by the secrets that its application has now, oldest first. */
export function signDelivery(
  outgoing: Outgoing,
  secrets: readonly string[],
  rules: WebhookSignatureRules,
): { readonly timestamp: string; readonly signature: string } {
  const timestamp = rules.timestamp(outgoing);
  const hmac = createHmac(rules.algorithm, rules.key(secrets, outgoing));
  const digest = hmac.update(rules.signedBytes(timestamp, outgoing.rawBody, outgoing)).digest();
  return { timestamp, signature: rules.encode(digest) };
}

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
