import type { Outgoing } from '../model.ts';

/** How deliveries are signed. Sections 2.1, 6.1 and 6.2. */
export interface WebhookSignatureRules {
  /** Unix seconds of an attempt, as they are sent and signed. */
  readonly timestamp: (outgoing: Outgoing) => string;
  /** The HMAC key: the application's secret as it is now, of those it has, oldest first. */
  readonly key: (secrets: readonly string[], outgoing: Outgoing) => string;
  readonly signedBytes: (timestamp: string, rawBody: Buffer, outgoing: Outgoing) => Buffer;
  readonly algorithm: string;
  readonly encode: (digest: Buffer) => string;
}

export const webhookSignatureRules: WebhookSignatureRules = {
  timestamp: ({ startedMs }) => String(Math.floor(startedMs / 1000)),
  key: (secrets) => secrets.at(-1) ?? '',
  signedBytes: (timestamp, rawBody) => Buffer.concat([Buffer.from(`${timestamp}.`), rawBody]),
  algorithm: 'sha256',
  encode: (digest) => digest.toString('hex'),
};
