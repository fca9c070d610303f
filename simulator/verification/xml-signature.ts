import { createHash, createVerify, X509Certificate } from 'node:crypto';
import { type XmlElement, XmlError, type XmlNode, XmlXPath } from 'libxml2-wasm';
import { base64Of, formFault, signatureForm, signatureNamespace } from './signature-form.ts';

/** Whose signature an invoice needs. */
export interface Issuer {
  /** Its CNPJ; of a person its CPF with zeros in front. 14 digits. */
  readonly number: string;
  readonly isPerson: boolean;
  /** Whether the tax authority issued it for somebody, with its own certificate. */
  readonly isByAuthority: boolean;
  /** When it was issued, in Unix milliseconds; not a number where the invoice tells no time. */
  readonly issuedMs: number;
}

/** What was signed, and how. */
interface Signed {
  readonly signature: XmlElement;
  readonly infNFe: XmlElement;
  readonly issuer: Issuer;
}

/**
 * The first thing that is wrong with the signature of an invoice, as stable English text; `undefined` for nothing. No chain of
 * certificates is followed.
 */
export function signatureFault(signed: Signed): string | undefined {
  return formFault(signed.signature, signatureForm) ?? referenceFault(signed) ?? valueFault(signed);
}

/** The digest that the only reference of a signature gives, in base64 without white space; empty where there is none. */
export function signedDigest(signature: XmlElement): string {
  return textAt(signature, paths.digestValue).replaceAll(/\s/g, '');
}

function referenceFault({ signature, infNFe }: Signed): string | undefined {
  const id = infNFe.get(paths.id)?.content ?? '';
  if (signature.get(paths.uri)?.content !== `#${id}`) return 'The signature is of something else than the invoice.';
  const alike = infNFe.find(paths.ids).filter(({ content }) => content === id);
  if (alike.length > 1) return 'Another element has the Id of the invoice, too.';
  const digest = canonicalDigest(infNFe);
  return digest === signedDigest(signature) ? undefined : 'The invoice is not what was signed.';
}

/** SHA-1 of the canonical XML, in base64, as the layout fixes it; `undefined` for what has no canonical form. */
function canonicalDigest(element: XmlElement): string | undefined {
  const text = canonicalText(element);
  return text === undefined ? undefined : createHash('sha1').update(text).digest('base64');
}

/** Canonical XML of an element where it stands, told by a set: the element's own method asks back with two new objects a node. */
function canonicalText(element: XmlNode): string | undefined {
  try {
    return element.doc.canonicalizeToString({ nodeSet: new Set([element]) });
  } catch (error) {
    // A namespace whose address is relative is one reason.
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

function valueFault({ signature, issuer }: Signed): string | undefined {
  const der = base64Of(textAt(signature, paths.certificate));
  const certificate = der && certificateIn(der);
  if (certificate?.publicKey.asymmetricKeyType !== 'rsa') return 'The X509Certificate is no certificate of an RSA key.';
  const signedInfo = signature.get(paths.signedInfo);
  const text = signedInfo ? canonicalText(signedInfo) : undefined;
  const value = base64Of(textAt(signature, paths.signatureValue));
  if (text === undefined || !value || !createVerify('RSA-SHA1').update(text).verify(certificate.publicKey, value))
    return 'The SignatureValue is not that of the SignedInfo by the key of the certificate.';
  return holderFault(certificate, issuer);
}

function holderFault(certificate: X509Certificate, issuer: Issuer): string | undefined {
  if (certificate.validToDate.getTime() < issuer.issuedMs)
    return 'The certificate had expired when the invoice was issued.';
  if (issuer.isByAuthority) return undefined;
  const { cnpj, cpf } = holderOf(certificate);
  const number = issuer.isPerson ? cpf : cnpj;
  if (number === undefined) return `The certificate names no ${issuer.isPerson ? 'CPF' : 'CNPJ'}.`;
  // Of a company, any branch may sign.
  const isIts = issuer.isPerson ? issuer.number.endsWith(number) : issuer.number.startsWith(number.slice(0, 8));
  return isIts ? undefined : 'The certificate is not of the issuer.';
}

function textAt(element: XmlElement, path: XmlXPath): string {
  return element.get(path)?.content ?? '';
}

/** What an ICP-Brasil certificate says of whom it belongs to. */
interface CertificateHolder {
  /** 14 digits. */
  readonly cnpj?: string | undefined;
  /** 11 digits. */
  readonly cpf?: string | undefined;
}

/** Whom a certificate belongs to: by its other names of ICP-Brasil, else by the end of its common name, `NAME:number`. */
function holderOf({ raw, subject }: X509Certificate): CertificateHolder {
  const company = /^[0-9A-Z]{12}\d{2}$/.exec(otherName(raw, 3))?.[0];
  // Of a person: the date of birth, the CPF, and other numbers.
  const person = /^\d{8}(\d{11})/.exec(otherName(raw, 1))?.[1];
  return {
    cnpj: company ?? /^CN=.*:([0-9A-Z]{12}\d{2})$/m.exec(subject)?.[1],
    cpf: person ?? /^CN=.*:(\d{11})$/m.exec(subject)?.[1],
  };
}

/** The text of the other name 2.16.76.1.3.n; empty where there is none. */
function otherName(raw: Buffer, n: 1 | 3): string {
  const identifier = Buffer.from([0x06, 0x05, 0x60, 0x4c, 0x01, 0x03, n]);
  const at = raw.indexOf(identifier);
  if (at < 0) return '';
  // Behind it: the tag 0 and a length, then the kind of the string and its length, each a byte.
  const [, , , length = 0, ...text] = raw.subarray(at + identifier.length);
  return Buffer.from(text.slice(0, length)).toString('latin1');
}

/** The certificate in these bytes; `undefined` for what is none. */
function certificateIn(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}

const namespaces = { n: 'http://www.portalfiscal.inf.br/nfe', s: signatureNamespace };

function path(expression: string): XmlXPath {
  return XmlXPath.compile(expression, namespaces);
}

/** Where in a document stands what is judged of it; compiled once, which is half the time of asking. */
export const paths = {
  invoices: path('//n:infNFe'),
  nfes: path('/n:NFe | /n:nfeProc/n:NFe'),
  infNFe: path('n:infNFe'),
  protocols: path('/n:nfeProc/n:protNFe/n:infProt'),
  id: path('@Id'),
  versao: path('@versao'),
  ide: path('n:ide'),
  issuerCnpj: path('n:emit/n:CNPJ'),
  issuerCpf: path('n:emit/n:CPF'),
  signatures: path('s:Signature'),
  signedInfo: path('s:SignedInfo'),
  uri: path('s:SignedInfo/s:Reference/@URI'),
  digestValue: path('s:SignedInfo/s:Reference/s:DigestValue'),
  signatureValue: path('s:SignatureValue'),
  certificate: path('s:KeyInfo/s:X509Data/s:X509Certificate'),
  ids: path('//@Id | //@ID | //@id'),
} as const;
