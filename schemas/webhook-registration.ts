import type { FromSchema } from 'json-schema-to-ts';
import { filledText, httpUrl } from './texts.ts';

/** What is known of the registration of an address for issuance callbacks: the address, and the token that comes back. Section 4.1. */
export const webhookRegistration = {
  $id: 'webhook-registration',
  type: 'object',
  required: ['uri', 'token'],
  properties: { uri: httpUrl, token: filledText },
} as const;

export type WebhookRegistration = FromSchema<typeof webhookRegistration>;
