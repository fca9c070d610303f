import { ParseOption, XmlDocument, XmlElement, type XmlNode, XmlParseError, type XmlXPath } from 'libxml2-wasm';
import type { ProtocolClaim } from '../model/verification.ts';
import { type Issuer, paths, signatureFault, signedDigest } from './xml-signature.ts';

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
