/** The text of a body, and what is said of bytes that were no UTF-8. */
export interface Readable {
  readonly text: string;
  /** Absent where they were. */
  readonly readAs?: 'UTF-16' | 'Latin-1';
}

/** The text that a body is; `undefined` of what is none. Many servers write Latin-1, whatever they say. */
export function readableText(rawBody: Buffer): Readable | undefined {
  const text = rawBody.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(rawBody)) return kindOf(rawBody) === undefined ? { text } : undefined;
  const wide = wideText(rawBody);
  if (wide !== undefined) return isText(wide) ? { text: wide, readAs: 'UTF-16' } : undefined;
  const latin1 = rawBody.toString('latin1');
  return isText(latin1) ? { text: latin1, readAs: 'Latin-1' } : undefined;
}

/** Bytes in pairs, by the mark that they begin with. */
function wideText(rawBody: Buffer): string | undefined {
  const [first, second] = rawBody;
  if (first === 0xff && second === 0xfe) return rawBody.toString('utf16le');
  if (first !== 0xfe || second !== 0xff) return undefined;
  return Buffer.from(rawBody.subarray(0, rawBody.length & ~1))
    .swap16()
    .toString('utf16le');
}

/** Whether a text has none of the characters that only programs write. */
function isText(text: string): boolean {
  return !/\p{Cc}/u.test(text.replaceAll(/[\t\r\n\f\u0080-\u009f]/g, ''));
}

/** How files of usual kinds begin. */
const beginnings: readonly (readonly [string, string])[] = [
  ['%PDF-', 'PDF'],
  ['PK\x03\x04', 'ZIP'],
  ['\x1f\x8b', 'gzip'],
  ['\x89PNG', 'PNG'],
  ['\xff\xd8\xff', 'JPEG'],
  ['GIF8', 'GIF'],
  ['\x30\x82', 'DER'],
];

/** What bytes that are no text are, as far as they begin like something: `(PDF, 1234 bytes, not shown)`. */
export function sizeAndKind(rawBody: Buffer): string {
  return `(${kindOf(rawBody) ?? 'no text'}, ${rawBody.length} bytes, not shown)`;
}

function kindOf(rawBody: Buffer): string | undefined {
  const start = rawBody.subarray(0, 8).toString('latin1');
  return beginnings.find(([beginning]) => start.startsWith(beginning))?.[1];
}
