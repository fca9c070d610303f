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

/** An address, taken apart for a request. */
export interface CallParts {
  readonly origin: string;
  /** Path and query as they were given, where a request line can hold them. */
  readonly path: string;
  /** Where the address names a user. */
  readonly authorization?: string;
}

/** Takes an address apart: nothing of its path and query is decoded, resolved or otherwise tidied. */
export function callPartsOf(url: string): CallParts {
  const parsed = new URL(url);
  const [, given = ''] = /^https?:\/\/[^/?#]*([^#]*)/i.exec(url) ?? [];
  const path = /^[\x21-\x7e]*$/.test(given) ? given : parsed.pathname + parsed.search;
  const { username, password, origin } = parsed;
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    origin,
    path: path.startsWith('/') ? path : `/${path}`,
    ...(user === ':' ? {} : { authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
  };
}
