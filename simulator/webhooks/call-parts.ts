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
