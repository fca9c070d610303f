const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The deepest JSON that is read: what is built of a deeper one would take a hundred times its bytes. */
const mostLevels = 1_000;

/**
 * The JSON object that a body holds; `undefined` for any other JSON, none, bytes that are not UTF-8, and for JSON that is
 * nested deeper than is read.
 */
export function parseJsonObject(rawBody: Buffer): Record<string, unknown> | undefined {
  if (isTooDeep(rawBody)) return undefined;
  try {
    const value: unknown = JSON.parse(utf8.decode(rawBody));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const [quote, backslash, openBracket, openBrace, closeBracket, closeBrace] = Buffer.from('"\\[{]}');

/** Whether arrays and objects are nested deeper than is read. Brackets in texts don't count. */
function isTooDeep(rawBody: Buffer): boolean {
  let level = 0;
  let isText = false;
  for (let at = 0; at < rawBody.length; at++) {
    const byte = rawBody[at];
    if (isText && byte === backslash) at += 1;
    else if (byte === quote) isText = !isText;
    else if (isText) continue;
    else if (byte === openBracket || byte === openBrace) level += 1;
    else if (byte === closeBracket || byte === closeBrace) level -= 1;
    if (level > mostLevels) return true;
  }
  return false;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
