/** What an address may be. Section 6.5. */
export interface WebhookUrlRules {
  readonly isCallable: (url: string) => boolean;
  /** Which addresses of a new list get a test delivery before they are saved. */
  readonly tested: (urls: readonly string[]) => readonly string[];
  /** Whether a list is saved after its tests; what failed of them is told in sentences. */
  readonly isSaved: (failures: readonly string[]) => boolean;
}

const longestUrl = 2048;

export const webhookUrlRules: WebhookUrlRules = {
  isCallable: (url) => url.length <= longestUrl && /^https?:\/\/[^\s\\/?#][^\s\\]*$/i.test(url) && URL.canParse(url),
  tested: (urls) => urls,
  isSaved: (failures) => failures.length === 0,
};
