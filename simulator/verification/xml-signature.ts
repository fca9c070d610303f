import { createHash, createVerify, X509Certificate } from 'node:crypto';
import { XmlElement, XmlError, type XmlNode, XmlXPath, XmlCData, XmlText } from 'libxml2-wasm';

/** What the layout of the NF-e fixes of one element of a signature. */
interface SignaturePart {
  readonly name: string;
  /** Attributes that it may have; an algorithm is one that it must have. */
  readonly attributes?: readonly string[];
  readonly algorithm?: string;
  /** What it holds, each once and in this order; absent for one that holds a text in base64, or nothing beside its algorithm. */
  readonly parts?: readonly SignaturePart[];
}

const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#';
const canonicalization = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';

function method(name: string, algorithm: string): SignaturePart {
  return { name, algorithm };
}

/** The only form that a signature of an NF-e may have: one reference, two transforms, RSA with SHA-1, one certificate. */
const signatureForm: SignaturePart = {
  name: 'Signature',
  attributes: ['Id'],
  parts: [
    {
      name: 'SignedInfo',
      attributes: ['Id'],
      parts: [
        method('CanonicalizationMethod', canonicalization),
        method('SignatureMethod', `${signatureNamespace}rsa-sha1`),
        {
          name: 'Reference',
          attributes: ['Id', 'URI', 'Type'],
          parts: [
            {
              name: 'Transforms',
              parts: [
                method('Transform', `${signatureNamespace}enveloped-signature`),
                method('Transform', canonicalization),
              ],
            },
            method('DigestMethod', `${signatureNamespace}sha1`),
            { name: 'DigestValue' },
          ],
        },
      ],
    },
    { name: 'SignatureValue', attributes: ['Id'] },
    { name: 'KeyInfo', attributes: ['Id'], parts: [{ name: 'X509Data', parts: [{ name: 'X509Certificate' }] }] },
  ],
};

/** The first thing in which an element is not of that form, as stable English text; `undefined` for nothing. */
function formFault(element: XmlElement, part: SignaturePart): string | undefined {
  return attributeFault(element, part) ?? contentFault(element, part);
}

function attributeFault(
  { attrs }: XmlElement,
  { name, attributes = [], algorithm }: SignaturePart,
): string | undefined {
  const own = attrs.filter(({ namespaceUri }) => namespaceUri === '');
  if (algorithm !== undefined) {
    const found = own.find((attribute) => attribute.name === 'Algorithm');
    if (found?.value !== algorithm) return `The ${name} is not the one that the layout prescribes.`;
  }
  const allowed = algorithm === undefined ? attributes : ['Algorithm'];
  const isKnown = own.length === attrs.length && own.every((attribute) => allowed.includes(attribute.name));
  return isKnown ? undefined : `The ${name} has an attribute that the layout does not have.`;
}

function contentFault(element: XmlElement, { name, parts, algorithm }: SignaturePart): string | undefined {
  if (parts) return partsFault(element, name, parts);
  if (childrenOf(element).length > 0) return `The ${name} holds what the layout does not have.`;
  const text = element.content.replaceAll(/[\t\n\r ]/g, '');
  if (algorithm !== undefined) return text === '' ? undefined : `The ${name} holds what the layout does not have.`;
  if (text === '') return `The ${name} is empty.`;
  return base64Of(text) ? undefined : `The ${name} is not in base64.`;
}

function partsFault(element: XmlElement, name: string, parts: readonly SignaturePart[]): string | undefined {
  const children = childrenOf(element);
  const names = children.map((child) => (child.namespaceUri === signatureNamespace ? child.name : ''));
  for (const wanted of new Set(parts.map((part) => part.name))) {
    const count = names.filter((found) => found === wanted).length;
    const due = parts.filter((part) => part.name === wanted).length;
    if (count < due) return `The ${name} ${due === 1 ? `has no ${wanted}` : `lack a ${wanted}`}.`;
    if (count > due)
      return due === 1 ? `The ${name} has more than one ${wanted}.` : `The ${name} hold more than the two.`;
  }
  if (names.length > parts.length || hasText(element)) return `The ${name} holds what the layout does not have.`;
  for (const [at, part] of parts.entries()) {
    const child = children[at];
    if (!child || names[at] !== part.name) return `The parts of the ${name} are in another order.`;
    const fault = formFault(child, part);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function childrenOf(element: XmlElement): XmlElement[] {
  const children: XmlElement[] = [];
  for (let child = element.firstChild; child; child = child.next) if (child instanceof XmlElement) children.push(child);
  return children;
}

/** Whether text that is no white space stands between the elements. */
function hasText(element: XmlElement): boolean {
  for (let child = element.firstChild; child; child = child.next)
    if ((child instanceof XmlText || child instanceof XmlCData) && child.content.trim() !== '') return true;
  return false;
}

/** The bytes of a text in base64, white space apart; `undefined` where it is none, or one in which bits are left over. */
function base64Of(text: string): Buffer | undefined {
  const dense = text.replaceAll(/[\t\n\r ]/g, '');
  const bytes = Buffer.from(dense, 'base64');
  return bytes.toString('base64') === dense ? bytes : undefined;
}

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
