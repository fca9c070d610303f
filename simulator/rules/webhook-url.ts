/** What an address may be. Section 6.5. */
export interface WebhookUrlRules {
  readonly isCallable: (url: string) => boolean;
  /** Which addresses of a new list get a test delivery before they are saved. */
  readonly tested: (urls: readonly string[]) => readonly string[];
  /** Whether a list is saved after its tests; what failed of them is told in sentences. */
  readonly isSaved: (failures: readonly string[], urls: readonly string[]) => boolean;
}

const longestUrl = 2048;

export const webhookUrlRules: WebhookUrlRules = {
  isCallable: (url) => url.length <= longestUrl && /^https?:\/\/[^\s\\/?#][^\s\\]*$/i.test(url) && URL.canParse(url),
  tested: (urls) => urls,
  isSaved: (failures) => failures.length === 0,
};

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
