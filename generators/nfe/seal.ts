import { createHash, createSign } from 'node:crypto';
import { signerOf, type Signer } from './signer.ts';
import { canonicalOf, found, group, leaf, textOf, withText, type XmlElement } from './xml-tree.ts';

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
