import { createHash, createPrivateKey, createSign } from 'node:crypto';
import { ParseOption, XmlDocument } from 'libxml2-wasm';
import { nfeProc } from '../simulator/documents/nfe-xml.ts';
import { documentOf } from '../simulator/testing/documents.ts';
import { profileBody } from '../simulator/testing/invoice-bodies.ts';
import { readDocument } from '../simulator/verification/document.ts';
import { documentFault } from '../simulator/verification/examine.ts';
import { byTurns, cpuMs, type Row } from './measure.ts';

const times = 200;
const pairs = 5;

/** Verifying a document against parsing and hashing it by the same library, and issuing one against its signature alone. */
export async function documentRows(): Promise<readonly Row[]> {
  const input = documentOf(profileBody('autorizada'));
  const text = nfeProc(input).xml.toString('utf8');
  const signedInfo = text.slice(text.indexOf('<SignedInfo'), text.indexOf('</Signature>'));
  const key = createPrivateKey(input.empresa.certificate.privateKeyPem);
  return [
    await row(
      'verification, against parsing and hashing',
      3,
      () => verify(text),
      () => parseAndHash(text),
    ),
    await row(
      'an invoice made, against its signature',
      2,
      () => nfeProc(input),
      () => createSign('RSA-SHA1').update(signedInfo).sign(key),
    ),
  ];
}

async function row(what: string, atMost: number, ours: () => unknown, limit: () => unknown): Promise<Row> {
  const all = (work: () => unknown) => async (): Promise<number> => {
    const ms = await cpuMs(() => {
      for (let time = 0; time < times; time++) work();
    });
    return ms / times;
  };
  const { one, other, ratio } = await byTurns(pairs, all(ours), all(limit));
  return { what: `simulator: ${what}`, measured: one, limit: other, unit: 'ms', ratio, goal: { atMost } };
}

/** What no verification can do without: the document parsed, its invoice in canonical form, and a hash of that. */
function parseAndHash(text: string): void {
  const document = XmlDocument.fromString(text, { option: ParseOption.XML_PARSE_NONET });
  const invoice = document.get('//n:infNFe', { n: 'http://www.portalfiscal.inf.br/nfe' });
  createHash('sha1')
    .update(invoice?.canonicalizeToString() ?? '')
    .digest('base64');
  document.dispose();
}

function verify(text: string): void {
  const document = readDocument(text);
  if (typeof document === 'string' || documentFault(document)) throw new Error('the document is not sound');
}
