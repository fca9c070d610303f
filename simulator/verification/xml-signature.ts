import { createHash, createVerify, type X509Certificate } from 'node:crypto';
import { XmlError, type XmlElement, type XmlNode, type XmlXPath } from 'libxml2-wasm';
import { certificateIn, holderOf } from './certificate-holder.ts';
import { paths } from './paths.ts';
import { base64Of, formFault, signatureForm } from './signature-form.ts';

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
