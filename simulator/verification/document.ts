import { ParseOption, XmlDocument, XmlElement, type XmlNode, XmlParseError, type XmlXPath } from 'libxml2-wasm';
import type { ProtocolClaim } from '../model.ts';
import { type Issuer, paths, signatureFault, signedDigest } from './xml-signature.ts';
import { SaxesParser } from 'saxes';

/** What is judged of a document. A text that is missing there is empty here. */
export interface NfeDocument {
  /** 44 digits out of the `Id`, or letters among those of the CNPJ; whether they are an access key is for others to say. */
  readonly chave: string;
  /** Version of the layout, such as 4.00. */
  readonly layout: string;
  readonly ide: Readonly<Record<(typeof ideFields)[number], string>>;
  /** Its CNPJ, or its CPF with zeros in front: 14 digits, as an access key has it. */
  readonly issuer: string;
  /** One, unless it was tampered with. */
  readonly signatures: readonly DocumentSignature[];
  /** One at most, unless it was tampered with. */
  readonly protocols: readonly ProtocolClaim[];
}

interface DocumentSignature {
  readonly digestValue: string;
  /** What is wrong with it, in English; absent where nothing is. */
  readonly fault?: string;
}

const ideFields = ['cUF', 'cNF', 'mod', 'serie', 'nNF', 'dhEmi', 'tpEmis', 'procEmi', 'cDV'] as const;

const namespace = 'http://www.portalfiscal.inf.br/nfe';

/** A document cannot load anything, and was decoded already. */
const options = ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_IGNORE_ENC;

/** Why a text holds no invoice that can be judged. */
export type DocumentFault = 'malformed' | 'withoutChave' | 'severalInvoices';

/** Reads an NF-e, with its protocol or without one; its text was scanned before, so that it has no DTD. */
export function readDocument(text: string): NfeDocument | DocumentFault {
  const document = parsed(text);
  if (!document) return 'malformed';
  try {
    return read(document);
  } finally {
    document.dispose();
  }
}

function parsed(text: string): XmlDocument | undefined {
  try {
    return XmlDocument.fromString(text, { option: options });
  } catch (error) {
    if (error instanceof XmlParseError) return undefined;
    throw error;
  }
}

/** Of two invoices, one could be signed and the other one believed, wherever in the document they stand. */
function read(document: XmlDocument): NfeDocument | DocumentFault {
  const invoices = document.find(paths.invoices);
  if (invoices.length > 1) return 'severalInvoices';
  const [nfe, another] = document.find(paths.nfes);
  if (another) return 'severalInvoices';
  const infNFe = nfe?.get(paths.infNFe);
  const [, chave] = /^NFe(\d{6}[0-9A-Z]{12}\d{26})$/.exec(textAt(infNFe, paths.id)) ?? [];
  if (!nfe || !(infNFe instanceof XmlElement) || chave === undefined) return 'withoutChave';
  const ide = ideOf(infNFe);
  const issuer = issuerOf(infNFe, ide);
  return {
    chave,
    layout: textAt(infNFe, paths.versao),
    ide,
    issuer: issuer.number,
    signatures: nfe
      .find(paths.signatures)
      .flatMap((signature) => (signature instanceof XmlElement ? [signatureOf({ signature, infNFe, issuer })] : [])),
    protocols: document.find(paths.protocols).map(protocolOf),
  };
}

function issuerOf(infNFe: XmlNode, { dhEmi, procEmi, serie }: NfeDocument['ide']): Issuer {
  const cnpj = textAt(infNFe, paths.issuerCnpj);
  return {
    number: cnpj || textAt(infNFe, paths.issuerCpf).padStart(14, '0'),
    isPerson: cnpj === '',
    // "Avulsa": who may issue none gets it made by the tax authority, in series of its own.
    isByAuthority: procEmi === '1' || procEmi === '2' || /^89\d$/.test(serie),
    issuedMs: Date.parse(dhEmi),
  };
}

function ideOf(infNFe: XmlNode): NfeDocument['ide'] {
  const texts = childTexts(infNFe.get(paths.ide));
  const text = (field: (typeof ideFields)[number]): string => texts.get(field) ?? '';
  return {
    cUF: text('cUF'),
    cNF: text('cNF'),
    mod: text('mod'),
    serie: text('serie'),
    nNF: text('nNF'),
    dhEmi: text('dhEmi'),
    tpEmis: text('tpEmis'),
    procEmi: text('procEmi'),
    cDV: text('cDV'),
  };
}

/** The texts of the elements in an element of the layout, by their names; of several with one name, that of the first. */
function childTexts(element: XmlNode | null): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  if (!(element instanceof XmlElement)) return texts;
  for (let child = element.firstChild; child; child = child.next) {
    if (!(child instanceof XmlElement) || child.namespaceUri !== namespace || texts.has(child.name)) continue;
    texts.set(child.name, child.content.trim());
  }
  return texts;
}

function signatureOf(signed: Parameters<typeof signatureFault>[0]): DocumentSignature {
  const fault = signatureFault(signed);
  return { digestValue: signedDigest(signed.signature), ...(fault === undefined ? {} : { fault }) };
}

function protocolOf(protocol: XmlNode): ProtocolClaim {
  const texts = childTexts(protocol);
  const text = (field: string): string => texts.get(field) ?? '';
  return {
    chave: text('chNFe'),
    numero: text('nProt'),
    digestValue: text('digVal').replaceAll(/\s/g, ''),
    cStat: text('cStat'),
    xMotivo: text('xMotivo'),
    receivedAt: utcTime(text('dhRecbto')),
  };
}

/** In UTC; null for a text that is no time with its zone. */
function utcTime(text: string): string | null {
  const at = /^[^T]*T.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? new Date(text) : undefined;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : null;
}

function textAt(node: XmlNode | null | undefined, path: XmlXPath): string {
  return node?.get(path)?.content.trim() ?? '';
}

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
