import { createHash, createPrivateKey, createSign, type KeyObject, X509Certificate } from 'node:crypto';
import type { Certificate } from '../model.ts';
import { group, leaf } from './xml.ts';

const namespace = 'http://www.w3.org/2000/09/xmldsig#';
const canonical = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';

/**
 * The enveloped signature of an element, as the layout fixes it: RSA with SHA-1 over canonical XML. The element is given as
 * canonical text that declares its namespace; the signature comes with the digest of it, in base64.
 */
export function signatureOf(
  signedXml: string,
  id: string,
  signer: Certificate,
): { readonly signature: string; readonly digestValue: string } {
  const { key, certificate } = partsOf(signer);
  const digestValue = createHash('sha1').update(signedXml).digest('base64');
  const parts = signedInfoParts(id, digestValue);
  const signedInfo = group('SignedInfo', parts, { xmlns: namespace });
  const signatureValue = createSign('RSA-SHA1').update(signedInfo).sign(key, 'base64');
  const signature = group(
    'Signature',
    [
      group('SignedInfo', parts),
      leaf('SignatureValue', signatureValue),
      group('KeyInfo', [group('X509Data', [leaf('X509Certificate', certificate)])]),
    ],
    { xmlns: namespace },
  );
  return { signature, digestValue };
}

/** Read from their texts once for all invoices of a company. */
const known = new WeakMap<Certificate, { readonly key: KeyObject; readonly certificate: string }>();

function partsOf(signer: Certificate): { readonly key: KeyObject; readonly certificate: string } {
  const { certificatePem, privateKeyPem } = signer;
  const parts = known.get(signer) ?? {
    key: createPrivateKey(privateKeyPem),
    certificate: new X509Certificate(certificatePem).raw.toString('base64'),
  };
  known.set(signer, parts);
  return parts;
}

function signedInfoParts(id: string, digestValue: string): string[] {
  const transforms = [algorithm('Transform', `${namespace}enveloped-signature`), algorithm('Transform', canonical)];
  const reference = [
    group('Transforms', transforms),
    algorithm('DigestMethod', `${namespace}sha1`),
    leaf('DigestValue', digestValue),
  ];
  return [
    algorithm('CanonicalizationMethod', canonical),
    algorithm('SignatureMethod', `${namespace}rsa-sha1`),
    group('Reference', reference, { URI: `#${id}` }),
  ];
}

function algorithm(element: string, Algorithm: string): string {
  return group(element, [], { Algorithm });
}
