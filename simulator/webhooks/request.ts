import type { Outgoing } from '../model/delivery.ts';
import type { DeliveryRequest } from '../rules/webhook-delivery.ts';
import type { ServiceParts } from '../service.ts';
import { signDelivery } from './webhook-signature.ts';

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
