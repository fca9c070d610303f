const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON object that a body holds; `undefined` for any other JSON, none, or bytes that are not UTF-8. */
export function parseJsonObject(rawBody: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(rawBody));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
