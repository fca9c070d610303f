import fc from 'fast-check';
import { describe, expect, test, afterEach, beforeEach } from 'vitest';
import { brokenNfe, signedTree } from '../../generators/nfe-documents.ts';
import { signatureBreakages } from '../../generators/nfe/breakages.ts';
import { legalSpellings, plainly } from '../../generators/nfe/spelling.ts';
import { readTree } from '../../generators/nfe/xml-tree.ts';
import { nfeVerificationRules } from '../rules/nfe-verification.ts';
import { profileXml } from '../testing/documents.ts';
import { examine } from './examine.ts';
import { diag } from 'libxml2-wasm';
import { readDocument } from './document.ts';

/** What is said of a document in which something of that name is wrong: stable, so written down here. */
const reasons: Readonly<Record<string, string>> = {
  'the SignedInfo is absent': 'The Signature has no SignedInfo.',
  'the SignedInfo is empty': 'The SignedInfo has no CanonicalizationMethod.',
  'the SignedInfo is doubled': 'The Signature has more than one SignedInfo.',
  'the CanonicalizationMethod is absent': 'The SignedInfo has no CanonicalizationMethod.',
  'the CanonicalizationMethod is empty': 'The CanonicalizationMethod is not the one that the layout prescribes.',
  'the CanonicalizationMethod is doubled': 'The SignedInfo has more than one CanonicalizationMethod.',
  'the SignatureMethod is absent': 'The SignedInfo has no SignatureMethod.',
  'the SignatureMethod is empty': 'The SignatureMethod is not the one that the layout prescribes.',
  'the SignatureMethod is doubled': 'The SignedInfo has more than one SignatureMethod.',
  'the Reference is absent': 'The SignedInfo has no Reference.',
  'the Reference is empty': 'The Reference has no Transforms.',
  'the Reference is doubled': 'The SignedInfo has more than one Reference.',
  'the Transforms is absent': 'The Reference has no Transforms.',
  'the Transforms is empty': 'The Transforms lack a Transform.',
  'the Transforms is doubled': 'The Reference has more than one Transforms.',
  'the DigestMethod is absent': 'The Reference has no DigestMethod.',
  'the DigestMethod is empty': 'The DigestMethod is not the one that the layout prescribes.',
  'the DigestMethod is doubled': 'The Reference has more than one DigestMethod.',
  'the DigestValue is absent': 'The Reference has no DigestValue.',
  'the DigestValue is empty': 'The DigestValue is empty.',
  'the DigestValue is doubled': 'The Reference has more than one DigestValue.',
  'the Signature is absent': 'The invoice is not signed.',
  'the Signature is empty': 'The Signature has no SignedInfo.',
  'the Signature is doubled': 'The invoice has more than one Signature.',
  'the SignatureValue is absent': 'The Signature has no SignatureValue.',
  'the SignatureValue is empty': 'The SignatureValue is empty.',
  'the SignatureValue is doubled': 'The Signature has more than one SignatureValue.',
  'the KeyInfo is absent': 'The Signature has no KeyInfo.',
  'the KeyInfo is empty': 'The KeyInfo has no X509Data.',
  'the KeyInfo is doubled': 'The Signature has more than one KeyInfo.',
  'the X509Data is empty': 'The X509Data has no X509Certificate.',
  'the X509Data is doubled': 'The KeyInfo has more than one X509Data.',
  'the X509Certificate is empty': 'The X509Certificate is empty.',
  'the X509Certificate is doubled': 'The X509Data has more than one X509Certificate.',
  'canonical XML is exclusive': 'The CanonicalizationMethod is not the one that the layout prescribes.',
  'canonical XML has comments': 'The CanonicalizationMethod is not the one that the layout prescribes.',
  'canonical XML is of 1.1': 'The CanonicalizationMethod is not the one that the layout prescribes.',
  'it is signed with SHA-256': 'The SignatureMethod is not the one that the layout prescribes.',
  'the SignatureMethod is another': 'The SignatureMethod is not the one that the layout prescribes.',
  'the SignatureMethod does not exist': 'The SignatureMethod is not the one that the layout prescribes.',
  'the digest is of SHA-256': 'The DigestMethod is not the one that the layout prescribes.',
  'the DigestMethod is another': 'The DigestMethod is not the one that the layout prescribes.',
  'the DigestMethod does not exist': 'The DigestMethod is not the one that the layout prescribes.',
  'only the enveloped signature is taken out': 'The Transforms lack a Transform.',
  'the enveloped signature is not taken out': 'The Transforms lack a Transform.',
  'the Transforms are in another order': 'The Transform is not the one that the layout prescribes.',
  'there are three Transforms': 'The Transforms hold more than the two.',
  'a Transform is exclusive': 'The Transform is not the one that the layout prescribes.',
  'a Transform is another': 'The Transform is not the one that the layout prescribes.',
  'the SignatureValue is altered': 'The SignatureValue is not that of the SignedInfo by the key of the certificate.',
  'the SignatureValue is cut short': 'The SignatureValue is not that of the SignedInfo by the key of the certificate.',
  'the SignatureValue is not in base64': 'The SignatureValue is not in base64.',
  'the SignatureValue has text behind it': 'The SignatureValue is not in base64.',
  'the SignatureValue is of another document':
    'The SignatureValue is not that of the SignedInfo by the key of the certificate.',
  'the DigestValue is altered': 'The invoice is not what was signed.',
  'the DigestValue is altered and not signed': 'The invoice is not what was signed.',
  'the invoice is altered': 'The invoice is not what was signed.',
  'the invoice is altered, and its digests are made anew':
    'The SignatureValue is not that of the SignedInfo by the key of the certificate.',
  'the certificate is none': 'The X509Certificate is no certificate of an RSA key.',
  'the certificate is cut short': 'The X509Certificate is no certificate of an RSA key.',
  'the certificate is of another key':
    'The SignatureValue is not that of the SignedInfo by the key of the certificate.',
  'the certificate is of another company': 'The certificate is not of the issuer.',
  'the certificate had expired': 'The certificate had expired when the invoice was issued.',
  'the reference is of the whole document': 'The signature is of something else than the invoice.',
  'the reference has no URI': 'The signature is of something else than the invoice.',
  'the reference is of another invoice': 'The signature is of something else than the invoice.',
  'the reference is no fragment': 'The signature is of something else than the invoice.',
  'the reference is an XPointer': 'The signature is of something else than the invoice.',
  'the reference leads elsewhere': 'The signature is of something else than the invoice.',
  'a second reference is of nothing': 'The SignedInfo has more than one Reference.',
  'a second reference is of the whole document': 'The SignedInfo has more than one Reference.',
  'Id and URI are apart': 'The signature is of something else than the invoice.',
  'the signed invoice is in an Object, an altered one in its place':
    'The Signature holds what the layout does not have.',
  'the signed invoice is in an Object, one of another Id in its place':
    'The Signature holds what the layout does not have.',
  'the signed invoice is in the KeyInfo, an altered one in its place':
    'The KeyInfo holds what the layout does not have.',
  'an altered invoice stands before the signed one': 'severalInvoices',
  'an altered invoice stands behind the signed one': 'severalInvoices',
  'an altered invoice of another Id stands before the signed one': 'severalInvoices',
  'the signed invoice is in the altered one': 'severalInvoices',
  'the signed invoice is in the protocol, an altered one in its place': 'severalInvoices',
  'another element has the Id of the invoice': 'The KeyInfo holds what the layout does not have.',
  'the protocol has the Id of the invoice': 'Another element has the Id of the invoice, too.',
  'an element stands around the invoice': 'withoutChave',
  'the signature is in the invoice': 'The invoice is not signed.',
  'the signature is of another namespace': 'The invoice is not signed.',
  'a signature holds what it does not sign': 'The Signature holds what the layout does not have.',
  'the protocol is of another invoice': 'The protocol is of another invoice.',
  'the digest in the protocol is another': 'The digest in the protocol is not the one that was signed.',
  'there are two protocols': 'The document has more than one protocol.',
  'there are two answers in the protocol': 'The document has more than one protocol.',
};

/** What is found wrong with a document, or why it is not judged. */
async function foundIn(rawBody: Buffer): Promise<string | undefined> {
  const findings = await examine({ rawBody, isBodyTooLarge: false }, nfeVerificationRules);
  return 'refusal' in findings ? findings.refusal : findings.fault;
}

const root = readTree(profileXml('autorizada'));
if (!root) throw new Error("the profile's document cannot be read");

describe('a document is not VALIDATED when', () => {
  test.each(signatureBreakages)('$name', async ({ name, apply }) => {
    const broken = plainly(apply(root));
    expect(broken).not.toBe(plainly(root));
    expect(await foundIn(Buffer.from(broken))).toBe(reasons[name]);
  });
});

test('nothing that may be wrong with a signature is missing in the table', () => {
  expect(Object.keys(reasons).toSorted()).toEqual(signatureBreakages.map(({ name }) => name).toSorted());
  expect(signatureBreakages.length).toBeGreaterThanOrEqual(40);
});

test('whatever is wrong with the signature of a generated document is found, however it is spelled', async () => {
  await fc.assert(
    fc.asyncProperty(brokenNfe(), async ({ broken, sound }) => {
      expect(await foundIn(broken.rawBody)).toBeDefined();
      expect(await foundIn(sound.rawBody)).toBeUndefined();
    }),
    { seed: 1729, numRuns: 60 },
  );
});

describe('nothing is wrong with a document', () => {
  test.each(legalSpellings)('$name', async ({ write }) => {
    expect(await foundIn(write(root))).toBeUndefined();
    for (const tree of fc.sample(signedTree(), { seed: 1729, numRuns: 3 }))
      expect(await foundIn(write(tree))).toBeUndefined();
  });
});

beforeEach(() => diag.configure({ enabled: true }));
afterEach(() => diag.configure({ enabled: false }));

test.each([
  ['an invoice', profileXml('autorizada')],
  ['no invoice', '<a/>'],
  ['an invoice without a canonical form', profileXml('autorizada').replace('<emit>', '<emit xmlns:a="b">')],
])('the memory of a document is freed after %s', (_, xml) => {
  readDocument(xml);
  expect(diag.report()).toEqual({});
});
