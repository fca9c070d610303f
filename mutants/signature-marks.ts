import { createHash, createPublicKey, createVerify, publicDecrypt, X509Certificate, type KeyObject } from 'node:crypto';
import { issuerOf, signatureNamespace, foreignSignerOf } from '../generators/nfe/signer.ts';
import { canonicalOf, found, localName, textOf, type XmlElement } from '../generators/nfe/xml-tree.ts';
import { onFirstUse } from '../schemas/values.ts';

/** By chaves, the first SignatureValue that was taken with each. */
export type KnownValues = Map<string, string>;

/** Notes the signature of a document that was taken, unless its chave has one. */
export function remember(known: KnownValues, root: XmlElement): void {
  if (!known.has(chaveOf(root))) known.set(chaveOf(root), textIn(root, 'SignatureValue'));
}

/**
 * All that a verification can see of how an invoice is signed, as one text. What the invoice says, how it is written down and
 * whose it is are not in there: what is wrong with a signature gives the same mark whatever document it was done to.
 */
export function signatureMark(root: XmlElement, known: KnownValues): string {
  const chave = chaveOf(root);
  const digest = createHash('sha1').update(canonicalOf(root, 'infNFe') ?? '');
  const kinds: Kinds = {
    DigestValue: comparedWith(digest.digest('base64')),
    digVal: comparedWith(textIn(root, 'DigestValue')),
    chNFe: comparedWith(chave),
    SignatureValue: (text) => valueKind(text, root, known.get(chave)),
    X509Certificate: (text) => certificateKind(text, root),
  };
  return shape(root, kinds, chave);
}

/** What is said of the text of an element in place of the text, by the name of the element. */
type Kinds = Readonly<Record<string, (text: string) => string>>;

/** Of the invoice and of the protocol only these are of interest. */
const partsOf: Readonly<Record<string, readonly string[]>> = {
  infNFe: ['infNFe', 'Signature'],
  infProt: ['infNFe', 'chNFe', 'digVal'],
};

const attributesOfInterest: ReadonlySet<string> = new Set(['Id', 'URI', 'Algorithm']);

function shape(element: XmlElement, kinds: Kinds, chave: string): string {
  const name = localName(element);
  const attributes = Object.entries(element.attributes)
    .filter(([attribute, value]) => attributesOfInterest.has(attribute) && !isNumberOfProtocol(name, value))
    .map(([attribute, value]) => ` ${attribute}=${impersonal(value, chave)}`);
  const own = partsOf[name];
  const parts = element.content
    .filter((part) => typeof part !== 'string')
    .filter((part) => !own || own.includes(localName(part)))
    .map((part) => shape(part, kinds, chave));
  const isForeign = name === 'Signature' && element.attributes['xmlns'] !== signatureNamespace;
  const kind = kinds[name]?.(textOf(element).trim()) ?? '';
  return `${isForeign ? 'foreign ' : ''}${name}${attributes.toSorted().join('')}(${kind}${parts.join(' ')})`;
}

/** An answer of the authority may be numbered. */
function isNumberOfProtocol(name: string, id: string): boolean {
  return name === 'infProt' && !/\d{44}/.test(id);
}

/** An address or an Id without the digits of its invoice. */
function impersonal(text: string, chave: string): string {
  return text.replaceAll(/\d{44}/g, (digits) => (digits === chave ? 'ITS' : 'ANOTHER'));
}

/** 44 digits of the first invoice; empty without one. */
function chaveOf(root: XmlElement): string {
  return found(root, 'infNFe')?.attributes['Id']?.slice(-44) ?? '';
}

function comparedWith(wanted: string): (text: string) => string {
  return (text) => (text === '' ? 'empty' : text === wanted ? 'right' : 'another');
}

/** How near a value comes to that of the SignedInfo by the key of the certificate. */
function valueKind(text: string, root: XmlElement, first: string | undefined): string {
  const value = Buffer.from(text, 'base64');
  if (text === '') return 'empty';
  if (value.toString('base64') !== text) return text.startsWith('*') ? 'no base64' : 'base64 and more';
  const key = certificateIn(textIn(root, 'X509Certificate'))?.publicKey;
  const signedInfo = canonicalOf(root, 'SignedInfo') ?? '';
  if (key && createVerify('RSA-SHA1').update(signedInfo).verify(key, value)) return 'right';
  if (text === first) return 'that of another document';
  if (key && isSignedBy(key, value)) return 'by its key';
  return isSignedBy(foreignKey(), value) ? 'by another key' : `${value.length} bytes`;
}

const foreignKey = onFirstUse(() => createPublicKey(foreignSignerOf('0'.repeat(14)).key));

/** Whether somebody signed something with that key. */
function isSignedBy(key: KeyObject, value: Buffer): boolean {
  try {
    return publicDecrypt(key, value).length > 0;
  } catch {
    return false;
  }
}

function certificateKind(text: string, root: XmlElement): string {
  if (text === '') return 'empty';
  const certificate = certificateIn(text);
  if (!certificate) return text.startsWith('MII') ? 'the start of one' : 'none';
  const isExpired = certificate.validToDate.getTime() < Date.parse(textIn(root, 'dhEmi'));
  const holder = certificate.subject.includes(`:${issuerOf(root).slice(0, 8)}`) ? 'its' : 'another';
  return isExpired ? `${holder}, expired` : holder;
}

function certificateIn(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(text, 'base64'));
  } catch {
    return undefined;
  }
}

function textIn(root: XmlElement, name: string): string {
  return textOf(found(root, name)).trim();
}
