import { createHash } from 'node:crypto';
import { ParseOption, XmlDocument, XmlError, XmlParseError, type XmlNode } from 'libxml2-wasm';
import type { ProtocolClaim } from '../model/findings.ts';

/** What is judged of a document. A text that is missing there is empty here. */
export interface NfeDocument {
  /** 44 digits out of the `Id`; whether they are an access key is for others to say. */
  readonly chave: string;
  readonly ide: Readonly<Record<(typeof ideFields)[number], string>>;
  /** Its CNPJ, or its CPF with zeros in front: 14 digits, as an access key has it. */
  readonly issuer: string;
  readonly signature?: DocumentSignature;
  readonly protocol?: ProtocolClaim;
}

interface DocumentSignature {
  /** What it says it signs: `#` and the `Id`. */
  readonly reference: string;
  readonly digestValue: string;
  /** What the digest of the invoice is, in base64; `undefined` where it has no canonical form. */
  readonly actualDigest: string | undefined;
}

const ideFields = ['cUF', 'cNF', 'mod', 'serie', 'nNF', 'dhEmi', 'tpEmis', 'cDV'] as const;

const namespaces = { n: 'http://www.portalfiscal.inf.br/nfe', s: 'http://www.w3.org/2000/09/xmldsig#' };

/** A document cannot load anything, and was decoded already. */
const options = ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_IGNORE_ENC;

/** Reads an NF-e, with its protocol or without one; its text was scanned before, so that it has no DTD. */
export function readDocument(text: string): NfeDocument | 'malformed' | 'withoutChave' {
  const document = parsed(text);
  if (!document) return 'malformed';
  try {
    return read(document) ?? 'withoutChave';
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

/** `undefined` unless there is exactly one invoice: of two, one could be signed and the other one believed. */
function read(document: XmlDocument): NfeDocument | undefined {
  const nfe = only(document.find('/n:NFe | /n:nfeProc/n:NFe', namespaces));
  const content = nfe && only(nfe.find('n:infNFe', namespaces));
  const [, chave] = /^NFe(\d{44})$/.exec(textAt(content, '@Id')) ?? [];
  if (!nfe || !content || chave === undefined) return undefined;
  const signature = only(nfe.find('s:Signature', namespaces));
  const protocol = only(document.find('/n:nfeProc/n:protNFe/n:infProt', namespaces));
  return {
    chave,
    ide: ideOf(content),
    issuer: textAt(content, 'n:emit/n:CNPJ') || textAt(content, 'n:emit/n:CPF').padStart(14, '0'),
    ...(signature ? { signature: signatureOf(signature, content) } : {}),
    ...(protocol ? { protocol: protocolOf(protocol) } : {}),
  };
}

function ideOf(content: XmlNode): NfeDocument['ide'] {
  const text = (field: (typeof ideFields)[number]): string => textAt(content, `n:ide/n:${field}`);
  return {
    cUF: text('cUF'),
    cNF: text('cNF'),
    mod: text('mod'),
    serie: text('serie'),
    nNF: text('nNF'),
    dhEmi: text('dhEmi'),
    tpEmis: text('tpEmis'),
    cDV: text('cDV'),
  };
}

/** The layout fixes how the digest is made: SHA-1 of the canonical XML. */
function signatureOf(signature: XmlNode, content: XmlNode): DocumentSignature {
  return {
    reference: textAt(signature, 's:SignedInfo/s:Reference/@URI'),
    digestValue: base64At(signature, 's:SignedInfo/s:Reference/s:DigestValue'),
    actualDigest: digestOf(content),
  };
}

function digestOf(content: XmlNode): string | undefined {
  try {
    return createHash('sha1').update(content.canonicalizeToString()).digest('base64');
  } catch (error) {
    // A namespace whose address is relative is one reason.
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

function protocolOf(protocol: XmlNode): ProtocolClaim {
  return {
    chave: textAt(protocol, 'n:chNFe'),
    numero: textAt(protocol, 'n:nProt'),
    digestValue: base64At(protocol, 'n:digVal'),
    cStat: textAt(protocol, 'n:cStat'),
    xMotivo: textAt(protocol, 'n:xMotivo'),
    receivedAt: utcTime(textAt(protocol, 'n:dhRecbto')),
  };
}

/** In UTC; null for a text that is no time with its zone. */
function utcTime(text: string): string | null {
  const at = /^[^T]*T.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? new Date(text) : undefined;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : null;
}

function only<T>(nodes: readonly T[]): T | undefined {
  return nodes.length === 1 ? nodes[0] : undefined;
}

function textAt(node: XmlNode | undefined, path: string): string {
  return node?.get(path, namespaces)?.content.trim() ?? '';
}

function base64At(node: XmlNode, path: string): string {
  return textAt(node, path).replaceAll(/\s/g, '');
}
