import { createHmac } from 'node:crypto';
import type { Outgoing } from '../model/delivery.ts';
import type { WebhookSignatureRules } from '../rules/webhook-signature.ts';

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
