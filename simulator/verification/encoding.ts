type Decoder = (bytes: Buffer) => string;

/**
 * The text of an XML document, by its byte order mark and the encoding that it declares. `undefined` where the two contradict
 * each other, the bytes are none of that encoding, or it is not one that is read here. Section 7.3.
 */
export function decodeXml(bytes: Buffer): string | undefined {
  const family = familyOf(bytes);
  const decoder = decoders[family].get(declaredEncoding(bytes, family) ?? '');
  if (!decoder) return undefined;
  try {
    return decoder(bytes);
  } catch {
    return undefined;
  }
}

/** How a document starts, in hexadecimal, and which bytes follow; the longer starts come first. */
const starts = [
  ['0000feff', 'utf-32'],
  ['fffe0000', 'utf-32'],
  ['0000003c', 'utf-32'],
  ['3c000000', 'utf-32'],
  ['efbbbf', 'marked-utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
  ['3c00', 'utf-16le'],
  ['003c', 'utf-16be'],
] as const;

type Family = (typeof starts)[number][1] | 'ascii-compatible';

function familyOf(bytes: Buffer): Family {
  const start = bytes.subarray(0, 4).toString('hex');
  return starts.find(([prefix]) => start.startsWith(prefix))?.[1] ?? 'ascii-compatible';
}

const declarationBytes = 512;

/** What the XML declaration says, in lower case. */
function declaredEncoding(bytes: Buffer, family: Family): string | undefined {
  const head = bytes.subarray(0, declarationBytes);
  const text = family === 'utf-16be' ? new TextDecoder(family).decode(head) : head.toString(headEncodings[family]);
  const [, name] = /^\uFEFF?<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.-]+)["']/.exec(text) ?? [];
  return name?.toLowerCase();
}

const headEncodings = {
  'utf-32': 'latin1',
  'utf-16le': 'utf16le',
  'marked-utf-8': 'utf8',
  'ascii-compatible': 'latin1',
} as const satisfies Partial<Record<Family, BufferEncoding>>;

const utf8 = fatal('utf-8');

/** What each family of bytes may declare to be; `''`: nothing. */
const decoders: Readonly<Record<Family, ReadonlyMap<string, Decoder>>> = {
  'ascii-compatible': new Map([
    ['', utf8],
    ['utf-8', utf8],
    ['us-ascii', ascii],
    // Not the decoder of that name on the web, which is another code page.
    ['iso-8859-1', (bytes) => bytes.toString('latin1')],
    ['windows-1252', fatal('windows-1252')],
  ]),
  'marked-utf-8': mapped(['', 'utf-8'], utf8),
  'utf-16le': mapped(['', 'utf-16', 'utf-16le'], fatal('utf-16le')),
  'utf-16be': mapped(['', 'utf-16', 'utf-16be'], fatal('utf-16be')),
  'utf-32': new Map(),
};

function mapped(names: readonly string[], decoder: Decoder): ReadonlyMap<string, Decoder> {
  return new Map(names.map((name) => [name, decoder]));
}

/** Decodes without the byte order mark; throws at bytes that are none of that encoding. */
function fatal(encoding: string): Decoder {
  return (bytes) => new TextDecoder(encoding, { fatal: true }).decode(bytes);
}

function ascii(bytes: Buffer): string {
  if (bytes.some((byte) => byte > 0x7f)) throw new Error('a byte is not ASCII');
  return bytes.toString('latin1');
}
