import { createHash, createSign } from 'node:crypto';
import { ParseOption, XmlDocument } from 'libxml2-wasm';
import { test } from 'vitest';
import { nfeProc } from '../simulator/documents/nfe-xml.ts';
import { documentFault } from '../simulator/verification/document-faults.ts';
import { readDocument } from '../simulator/verification/document.ts';
import { documentOf } from '../simulator/testing/document-input.ts';
import { profileBody } from '../simulator/testing/invoice-bodies.ts';

const input = documentOf(profileBody('autorizada'));
const text = nfeProc(input).xml.toString('utf8');

/** What no verification can do without: the document parsed, its invoice in canonical form, and a hash of that. */
function parseAndHash(): void {
  const document = XmlDocument.fromString(text, { option: ParseOption.XML_PARSE_NONET });
  const invoice = document.get('//n:infNFe', { n: 'http://www.portalfiscal.inf.br/nfe' });
  createHash('sha1')
    .update(invoice?.canonicalizeToString() ?? '')
    .digest('base64');
  document.dispose();
}

function verify(): void {
  const document = readDocument(text);
  if (typeof document === 'string' || documentFault(document)) throw new Error('the document is not sound');
}

test('verifying a document, compared with parsing and hashing it', async ({ bench }) => {
  await bench.compare(bench('parsing and hashing', parseAndHash), bench('simulator', verify));
});

test('making an invoice, compared with signing alone', async ({ bench }) => {
  const signedInfo = text.slice(text.indexOf('<SignedInfo'), text.indexOf('</Signature>'));
  const { privateKeyPem } = input.empresa.certificate;
  await bench.compare(
    bench('signing alone', () => void createSign('RSA-SHA1').update(signedInfo).sign(privateKeyPem)),
    bench('simulator', () => void nfeProc(input)),
  );
});
