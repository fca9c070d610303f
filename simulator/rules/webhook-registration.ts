/** How an address for issuance callbacks is registered. Sections 4.1, 6.4 and 6.5. */
export interface WebhookRegistrationRules {
  readonly status: number;
  readonly body: (uri: string) => unknown;
  readonly isToken: (token: unknown) => token is string;
  /** Whether registering an address closes its breaker and sends what was held. */
  readonly restoresDelivery: boolean;
}

export const webhookRegistrationRules: WebhookRegistrationRules = {
  status: 200,
  body: (uri) => ({ uri }),
  // A header can't hold more, and loses spaces at its ends.
  isToken: (token): token is string =>
    typeof token === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]{0,498}[\x21-\x7e])?$/.test(token),
  restoresDelivery: true,
};
