import { isObject } from '../../schemas/values.ts';

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
  if (rawBody.length <= mostLevels) return false;
  let level = 0;
  for (let at = 0; at < rawBody.length; at++) {
    const byte = rawBody[at];
    if (byte === quote) at = endOfText(rawBody, at);
    else if (byte === openBracket || byte === openBrace) level += 1;
    else if (byte === closeBracket || byte === closeBrace) level -= 1;
    if (level > mostLevels) return true;
  }
  return false;
}

/** Where the text that begins there ends: at a quote behind an even number of backslashes, or with the body. */
function endOfText(rawBody: Buffer, start: number): number {
  for (let from = start + 1; ;) {
    const end = rawBody.indexOf(quote ?? 0, from);
    if (end < 0) return rawBody.length;
    let behind = end;
    while (behind > from && rawBody[behind - 1] === backslash) behind -= 1;
    if ((end - behind) % 2 === 0) return end;
    from = end + 1;
  }
}
