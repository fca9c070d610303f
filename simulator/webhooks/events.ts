import { type DeliveryFault, deliveryFaults } from '../../schemas/faults-on-demand.ts';
import { linkTo } from '../documents/download.ts';
import {
  type Application,
  nowMs,
  type Invoice,
  type Channel,
  type Target,
  type WebhookEvent,
  type Outgoing,
} from '../model.ts';
import type { NfeResult, SettledInvoice } from '../rules/issuance-callback.ts';
import type { VerdictEventRules } from '../rules/verdict-event.ts';
import type { ServiceParts } from '../service.ts';
import type { Strike } from '../state/armed-faults.ts';
import type { NewDelivery } from '../state/outbox.ts';
import { createHmac } from 'node:crypto';
import type { DeliveryRequest } from '../rules/webhook-delivery.ts';
import type { WebhookSignatureRules } from '../rules/webhook-signature.ts';

/**
 * Puts an event into the outbox, for each address that the application has for the channel; nothing where it has none. The
 * body gets the event's id and is written as JSON once. To be called in a transaction; a touch of the timeline sends it.
 */
export function queueEvent(
  channel: Channel,
  event: Pick<WebhookEvent, 'appKey' | 'eventType' | 'createdMs'>,
  { state, rules }: ServiceParts,
  body: (eventId: string) => unknown,
): void {
  const { receivers, newEventId, isHeld } = rules.webhookDelivery;
  const targetsOf = (of: Channel): Target[] => state.webhooks.targetsOf(event.appKey, of);
  const targets = receivers(targetsOf(channel), targetsOf);
  if (targets.length === 0) return;
  const eventId = newEventId();
  const rawBody = Buffer.from(JSON.stringify(body(eventId)));
  const { appKey, createdMs } = event;
  const strike = state.faults.strike(appKey, { kinds: deliveryFaults, on: channel, path: '', rawBody }, createdMs);
  const plan = planOf(createdMs, strike);
  const deliveries = targets.map(({ id, breaker }) => ({ targetId: id, ...(isHeld(breaker) ? held : plan) }));
  state.outbox.add({ ...event, eventId, rawBody }, deliveries);
}

type Plan = Omit<NewDelivery, 'targetId'>;

const held: Plan = { state: 'held', attempts: [] };

/** One attempt at once, unless a fault on demand makes it another. A duplicate is a re-push: it uses up no retry. */
function planOf(createdMs: number, strike: Strike<DeliveryFault> | undefined): Plan {
  const now = { kind: 'planned', dueMs: createdMs } as const;
  if (!strike) return { state: 'pending', attempts: [now] };
  const dueMs = createdMs + Math.round(strike.delaySeconds * 1000);
  const plans = {
    twice: { state: 'pending', attempts: [now, { kind: 'manual', dueMs }] },
    late: { state: 'pending', attempts: [{ kind: 'planned', dueMs }] },
    never: { state: 'dead', attempts: [] },
  } as const satisfies Readonly<Record<DeliveryFault, Plan>>;
  return plans[strike.kind];
}

/** Tells the application that issued an invoice how it ended. To be called in a transaction. */
export function queueIssuanceCallback(invoice: Invoice, parts: ServiceParts): void {
  const { settlement } = invoice;
  if (!settlement) throw new Error(`the invoice ${invoice.id} is called back before it is settled`);
  const settled = { ...invoice, settlement };
  const { eventType, isCalledBack, body } = parts.rules.issuanceCallback;
  if (!isCalledBack(settled)) return;
  queueEvent('issuance', { appKey: invoice.appKey, eventType, createdMs: settlement.settledMs }, parts, () =>
    body(resultOf(settled, parts), settled),
  );
}

function resultOf(invoice: SettledInvoice, parts: ServiceParts): NfeResult {
  const { motivo, xmlLink, danfeLink, time, authorizedAt, digestValue } = parts.rules.issuanceCallback;
  const { settlement } = invoice;
  const authorizedMs = authorizedAt(invoice);
  const link = (kind: 'xml' | 'danfe') => () => linkTo(invoice, kind, settlement.settledMs, parts);
  return {
    tipo: 'NF-e',
    empresaId: invoice.empresaId,
    nfeId: invoice.nfeId,
    nfeStatus: settlement.outcome,
    nfeMotivoStatus: motivo(invoice),
    nfeLinkDanfe: danfeLink(invoice, link('danfe')),
    nfeLinkXml: xmlLink(invoice, link('xml')),
    nfeNumero: String(invoice.numero),
    nfeSerie: String(invoice.serie),
    nfeChaveAcesso: invoice.chave,
    nfeDataEmissao: time(invoice.issuedMs),
    nfeDataAutorizacao: authorizedMs === undefined ? '' : time(authorizedMs),
    nfeNumeroProtocolo: settlement.protocolo ?? '',
    nfeDigestValue: digestValue(invoice),
  };
}

/** Tells an application a verdict that settled at that time. To be called in a transaction; a touch of the timeline sends it. */
export function queueVerdictEvent(application: Application, verdict: object, atMs: number, parts: ServiceParts): void {
  const { appKey } = application;
  const { eventType, data } = parts.rules.verdictEvent;
  queueEvent('verification', { appKey, eventType, createdMs: atMs }, parts, (eventId) =>
    verdictBody(eventId, eventType, data(verdict), atMs, parts.rules.verdictEvent),
  );
}

/** The body of an event of the verification channel. Section 6.6. */
function verdictBody(
  eventId: string,
  eventType: string,
  data: object,
  atMs: number,
  { version, time, body }: VerdictEventRules,
): unknown {
  return body({ version, event_id: eventId, event_type: eventType, occurred_at: time(atMs), data });
}

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
function signDelivery(
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
