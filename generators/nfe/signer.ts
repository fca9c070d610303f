import { createPrivateKey, createSign, X509Certificate, type KeyObject, createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { onFirstUse } from '../../schemas/values.ts';
import { canonicalOf, found, group, leaf, textOf, withText, type XmlElement } from './xml-tree.ts';

/** Who signs an invoice. */
interface Signer {
  readonly key: KeyObject;
  /** DER in base64. */
  readonly certificate: string;
}

/** How long a certificate is good. */
type Validity = 'to 2055' | 'to 2016';

/** The signer of an issuer, by its CNPJ or CPF, with a certificate as ICP-Brasil makes them; another number gives another one. */
export function signerOf(number: string, validity: Validity = 'to 2055'): Signer {
  const { holder, authority, company, person } = keys();
  return {
    key: holder,
    certificate: certificateFor(number, validity, number.length === 11 ? person : company, authority),
  };
}

/** The same, with a key to which its certificate does not belong. */
export function foreignSignerOf(number: string): Signer {
  return { ...signerOf(number), key: keys().authority };
}

/** Length of what a key of 2048 bits signs: it ends a certificate. */
const signatureBytes = 256;

/** The certificate with this number and validity in place of its own, signed anew; all of these are as long as those before. */
function certificateFor(number: string, validity: Validity, template: Buffer, authority: KeyObject): string {
  const zeros = '0'.repeat(number.length);
  const serial = Buffer.from(number.padStart(18, '0'), 'hex').toString('latin1');
  const numbered = template
    .toString('latin1')
    .replace('20550101', () => (validity === 'to 2055' ? '20550101' : '20160101'))
    .replace(`:${zeros}`, () => `:${number}`)
    // The CPF of a person stands behind the date of birth.
    .replace(number.length === 11 ? `01011980${zeros}` : zeros, (found) => found.slice(0, -number.length) + number)
    .replace(`\x7E\x57${'\0'.repeat(18)}`, () => `\x7E\x57${'\0'.repeat(9)}${serial}`);
  const unsigned = Buffer.from(numbered, 'latin1').subarray(0, -signatureBytes);
  const toBeSigned = unsigned.subarray(headerBytes, headerBytes + headerBytes + unsigned.readUInt16BE(headerBytes + 2));
  const signature = createSign('RSA-SHA256').update(toBeSigned).sign(authority);
  return Buffer.concat([unsigned, signature]).toString('base64');
}

/** Of a sequence of 256 bytes and more: tag, kind of length, and the length in two bytes. */
const headerBytes = 4;

interface Keys {
  readonly holder: KeyObject;
  readonly authority: KeyObject;
  /** DER. */
  readonly company: Buffer;
  readonly person: Buffer;
}

const keys = onFirstUse((): Keys => {
  const read = (file: string): Buffer => readFileSync(new URL(`../certificates/${file}`, import.meta.url));
  return {
    holder: createPrivateKey(read('holder-key.pem')),
    authority: createPrivateKey(read('authority-key.pem')),
    company: new X509Certificate(read('e-cnpj.pem')).raw,
    person: new X509Certificate(read('e-cpf.pem')).raw,
  };
});

export const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#';
export const canonicalization = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';

/** A signature in the form that the layout fixes, for what has that Id; its values are still to be made. */
export function blankSignature(id: string): XmlElement {
  const algorithm = (name: string, address: string): XmlElement => group(name, [], { Algorithm: address });
  const transforms = group('Transforms', [
    algorithm('Transform', `${signatureNamespace}enveloped-signature`),
    algorithm('Transform', canonicalization),
  ]);
  const parts = [transforms, algorithm('DigestMethod', `${signatureNamespace}sha1`), leaf('DigestValue', '')];
  const signedInfo = group('SignedInfo', [
    algorithm('CanonicalizationMethod', canonicalization),
    algorithm('SignatureMethod', `${signatureNamespace}rsa-sha1`),
    group('Reference', parts, { URI: `#${id}` }),
  ]);
  const keyInfo = group('KeyInfo', [group('X509Data', [leaf('X509Certificate', '')])]);
  return group('Signature', [signedInfo, leaf('SignatureValue', ''), keyInfo], { xmlns: signatureNamespace });
}

/** How a document is sealed, where not as the layout has it. */
export interface SealOptions {
  /** Its issuer's unless it is given. */
  readonly signer?: Signer;
  readonly signatureHash?: 'sha1' | 'sha256';
  readonly digestHash?: 'sha1' | 'sha256';
}

/**
 * The document with every value of its signature made anew, and the digest in its protocol with it. What it lacks stays missing.
 */
export function sealed(root: XmlElement, options: SealOptions = {}): XmlElement {
  const { signer = signerOf(issuerOf(root)), digestHash = 'sha1' } = options;
  const digest = createHash(digestHash)
    .update(canonicalOf(root, 'infNFe') ?? '')
    .digest('base64');
  const digested = withText(withText(root, 'DigestValue', digest), 'digVal', digest);
  return valued(withText(digested, 'X509Certificate', signer.certificate), { ...options, signer });
}

/** The document with the value of its signature made anew over what its signature says, and nothing else. */
export function valued(root: XmlElement, { signer, signatureHash = 'sha1' }: SealOptions = {}): XmlElement {
  const { key } = signer ?? signerOf(issuerOf(root));
  const signedInfo = canonicalOf(root, 'SignedInfo') ?? '';
  const value = createSign(`RSA-${signatureHash.toUpperCase()}`).update(signedInfo).sign(key, 'base64');
  return withText(root, 'SignatureValue', value);
}

/** CNPJ or CPF of who issues. */
export function issuerOf(root: XmlElement): string {
  const issuer = found(root, 'emit');
  return textOf(issuer && (found(issuer, 'CNPJ') ?? found(issuer, 'CPF'))).trim();
}
