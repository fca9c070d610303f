import { SaxesParser } from 'saxes';

/** What keeps a text from being read as XML. */
export type ScanFault = 'dtd' | 'malformed' | 'tooComplex';

/** What an invoice stays far below: beyond it somebody wants the reader to work, not to read. */
export const scanLimits = {
  depth: 40,
  attributesOfElement: 32,
  elements: 200_000,
  /** Different names of elements and attributes. */
  names: 2000,
  /** Namespace declarations that hold at one place, each as often as it was made. */
  namespacesInScope: 16,
  /** Those that hold at an element, over all elements: canonical XML goes through them all. */
  namespaceVisits: 500_000,
} as const;

/** What keeps a text from being read as XML, found before anything in it is expanded; `undefined` for nothing. */
export function scanXml(text: string): ScanFault | undefined {
  let fault: ScanFault | undefined;
  const stop = (found: ScanFault): never => {
    fault = found;
    throw new Error(found);
  };
  const parser = new SaxesParser({ xmlns: true, position: false });
  parser.on('error', () => stop('malformed'));
  parser.on('doctype', () => stop('dtd'));
  watchSize(parser, () => stop('tooComplex'));
  try {
    parser.write(text).close();
  } catch (error) {
    if (!fault) throw error;
  }
  return fault;
}

/** Calls `refuse` at the first thing that passes a limit. */
function watchSize(parser: SaxesParser<{ xmlns: true }>, refuse: () => never): void {
  const names = new Set<string>();
  const namespaces: number[] = [];
  let elements = 0;
  let attributes = 0;
  let namespacesInScope = 0;
  let namespaceVisits = 0;
  const count = (name: string): void => {
    if (names.add(name).size > scanLimits.names) refuse();
  };
  parser.on('opentagstart', ({ name }) => {
    count(name);
    attributes = 0;
    elements += 1;
    namespaces.push(0);
    if (namespaces.length > scanLimits.depth || elements > scanLimits.elements) refuse();
  });
  parser.on('attribute', ({ name }) => {
    count(name);
    attributes += 1;
    if (attributes > scanLimits.attributesOfElement) refuse();
    if (!isNamespace(name)) return;
    namespaces.push((namespaces.pop() ?? 0) + 1);
    namespacesInScope += 1;
    if (namespacesInScope > scanLimits.namespacesInScope) refuse();
  });
  parser.on('opentag', () => {
    namespaceVisits += namespacesInScope;
    if (namespaceVisits > scanLimits.namespaceVisits) refuse();
  });
  parser.on('closetag', () => {
    namespacesInScope -= namespaces.pop() ?? 0;
  });
}

function isNamespace(name: string): boolean {
  return name === 'xmlns' || name.startsWith('xmlns:');
}

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
