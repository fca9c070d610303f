import { describe, expect, test } from 'vitest';
import { chaveCheckDigit } from '../documents/tax-numbers.ts';
import {
  foreignDocument,
  profileEmpresa,
  withoutProtocol,
  profileXml,
  testVerifier,
  verdictIn,
} from '../testing/documents.ts';
import { runningSimulator } from '../testing/call.ts';
import { signatureOf } from '../documents/signature.ts';

const simulator = runningSimulator();
const first = foreignDocument(1);
const { chave, xml } = first;

/** The document with parts of its chave replaced wherever it stands, the check digit made right again. */
function withChave(start: number, replacement: string): string {
  const first43 = chave.slice(0, start) + replacement + chave.slice(start + replacement.length, -1);
  return xml.replaceAll(chave, first43 + chaveCheckDigit(first43));
}

const layout = 'http://www.portalfiscal.inf.br/nfe';

/** The part that a pattern finds, its elements with a prefix that is declared there. */
function withPrefixes(document: string, part: RegExp): string {
  return document.replace(part, (found) =>
    found.replaceAll(/<(\/?)(\w+)/g, '<$1n:$2').replace(/^<n:\w+/, (tag) => `${tag} xmlns:n="${layout}"`),
  );
}

/** A document with an invoice that was changed before it was signed; `canonical` is what was signed then. */
function signedWith({ chave: own, xml: document }: typeof first, invoice: string, canonical: string): string {
  const { signature, digestValue } = signatureOf(canonical, `NFe${own}`, profileEmpresa({}).certificate);
  return document
    .replace(/<infNFe.*<\/infNFe>/s, () => invoice)
    .replace(/<Signature.*<\/Signature>/s, () => signature)
    .replace(/<digVal>[^<]*/, () => `<digVal>${digestValue}`);
}

/** What is signed of a document, as it stands there. */
function invoiceIn(document: string): string {
  return /<infNFe.*<\/infNFe>/s.exec(document)?.[0] ?? '';
}

/** The document with the digests that its content has now, and a signature of that where it is wished. */
function redigested(document: string, own: string, { isSigned }: { isSigned: boolean }): string {
  const canonical = invoiceIn(document).replace('<infNFe', `<infNFe xmlns="${layout}"`);
  const { signature, digestValue } = signatureOf(canonical, `NFe${own}`, profileEmpresa({}).certificate);
  const digested = document.replaceAll(/<(DigestValue|digVal)>[^<]*/g, `<$1>${digestValue}`);
  return isSigned ? digested.replace(/<Signature.*<\/Signature>/s, () => signature) : digested;
}

function ofLayout(version: string): string {
  return xml.replace(/(<infNFe [^>]*versao=)"4.00"/, `$1"${version}"`);
}

async function verdictOf(document: string | Buffer): Promise<Readonly<Record<string, unknown>>> {
  return verdictIn(await (await testVerifier(simulator)).verify(document));
}

describe('a document is rejected', () => {
  test.each([
    ['cUF', xml.replace('<cUF>35<', '<cUF>33<')],
    ['AAMM', xml.replace('<dhEmi>2031-05', '<dhEmi>2031-04')],
    ['CNPJ', xml.replace(/(<emit><CNPJ>)\d+/, '$199999992000170')],
    ['mod', xml.replace('<mod>55<', '<mod>65<')],
    ['serie', xml.replace('<serie>1<', '<serie>2<')],
    ['nNF', xml.replace('<nNF>1<', '<nNF>10<')],
    ['tpEmis', xml.replace('<tpEmis>1<', '<tpEmis>9<')],
    ['cNF', xml.replace('<cNF>00001234<', '<cNF>00001235<')],
    ['cDV', xml.replace(/<cDV>\d</, (found) => `<cDV>${(Number(found[5]) + 1) % 10}<`)],
  ])('whose %s is not the one in its chave', async (part, document) => {
    expect(document).not.toBe(xml);
    expect(await verdictOf(document)).toMatchObject({
      validationStatus: 'REJECTED',
      reason: `The ${part} in the access key is not the one in the invoice.`,
    });
  });

  test.each([
    ['cUF', withChave(0, '99')],
    ['AAMM', withChave(4, '13')],
    ['CNPJ', withChave(18, '99')],
    ['mod', withChave(20, '57')],
    ['nNF', withChave(25, '000000000')],
    ['tpEmis', withChave(34, '0')],
  ])('whose chave has an impossible %s', async (part, document) => {
    expect(await verdictOf(document)).toMatchObject({ reason: `The access key holds an impossible ${part}.` });
  });

  test.each([
    [
      'has a wrong check digit',
      xml.replaceAll(chave, chave.slice(0, -1) + ((Number(chave.at(-1)) + 1) % 10)),
      'The check digit of the access key is wrong.',
    ],
    ['is of layout 3.10', ofLayout('3.10'), 'The invoice is of a layout before 4.00.'],
    [
      'is of layout 2.00, where a date stood in another field',
      ofLayout('2.00').replaceAll('dhEmi>', 'dEmi>'),
      'The invoice is of a layout before 4.00.',
    ],
    ['is of no layout', ofLayout(''), 'The layout of the invoice is not 4.00.'],
    ['was indented', xml.replaceAll('><', '>\n  <'), 'The invoice is not what was signed.'],
    ['has no canonical form', xml.replace('<emit>', '<emit xmlns:a="b">'), 'The invoice is not what was signed.'],
  ])('that %s', async (_, document, reason) => {
    expect(document).not.toBe(xml);
    expect(await verdictOf(document)).toMatchObject({ validationStatus: 'REJECTED', reason });
  });

  test.each([
    ['protocol number', /<nProt>\d+/, '<nProt>135310000000008', 'The protocol number is not the one on record.'],
    [
      'time',
      'T06:30:07-03:00</dhRecbto>',
      'T06:30:08-03:00</dhRecbto>',
      'The authorisation time is not the one on record.',
    ],
    ['code', '<cStat>100<', '<cStat>302<', 'The protocol in the document is no authorisation.'],
  ])('when the authority has another %s on record', async (_, from, to, reason) => {
    const verifier = await testVerifier(simulator);
    const { xml: sound, chave: own } = foreignDocument(3);
    const { protocolo, dataAutorizacao, status } = verdictIn(await verifier.verify(sound));
    await simulator.control('PUT', `/authority/invoices/${own}`, { status, protocolo, dataAutorizacao });
    expect(sound.replace(from, to)).not.toBe(sound);
    expect(await verdictOf(sound)).toMatchObject({ validationStatus: 'VALIDATED' });
    expect(await verdictOf(sound.replace(from, to))).toMatchObject({ validationStatus: 'REJECTED', reason });
  });

  test('when the authority authorised another content', async () => {
    const { xml: sound, chave: own } = foreignDocument(4);
    const protocolo = { numero: '135310000000007', digestValue: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' };
    await simulator.control('PUT', `/authority/invoices/${own}`, { status: 'Autorizada', protocolo });
    const reason = 'The tax authority authorised another content.';
    expect(await verdictOf(sound)).toMatchObject({ reason });
    expect(await verdictOf(withoutProtocol(sound))).toMatchObject({ reason });
  });

  test('when a sound one with its chave was seen before, whoever sent it', async () => {
    const { xml: sound, chave: own } = foreignDocument(7);
    expect(await verdictOf(sound)).toMatchObject({ validationStatus: 'VALIDATED', cStat: '100' });
    const { protocolo, dataAutorizacao } = await verdictOf(sound);
    const forged = sound.replace('<vNF>59.90<', '<vNF>9959.90<');
    const digested = redigested(forged, own, { isSigned: false });
    const resigned = redigested(forged, own, { isSigned: true });
    for (const [document, reason] of [
      [forged, 'The invoice is not what was signed.'],
      [digested, 'The SignatureValue is not that of the SignedInfo by the key of the certificate.'],
      [resigned, 'The tax authority authorised another content.'],
      [withoutProtocol(resigned), 'The tax authority authorised another content.'],
    ] as const) {
      const known = { status: 'Autorizada', cStat: '100', protocolo, dataAutorizacao };
      expect(await verdictOf(document)).toMatchObject({ ...known, validationStatus: 'REJECTED', reason });
    }
    expect(await verdictOf(withoutProtocol(sound))).toMatchObject({ validationStatus: 'VALIDATED' });
    expect(await verdictOf(sound)).toMatchObject({ validationStatus: 'VALIDATED' });
  });

  test('and its protocol not believed, when it was altered', async () => {
    const altered = foreignDocument(6).xml.replace('<vNF>59.90<', '<vNF>59.91<');
    expect(await verdictOf(altered)).toMatchObject({ status: 'NaoEncontrada', cStat: '217', protocolo: null });
  });

  test('when its own protocol says that its use was denied', async () => {
    const { xml: sound } = foreignDocument(5);
    const denied = sound.replace('<cStat>100<', '<cStat>302<').replace(/<nProt>.*<\/digVal>/s, '');
    expect(await verdictOf(denied)).toMatchObject({ status: 'Denegada', cStat: '302', validationStatus: 'REJECTED' });
  });
});

describe('a document is what it was', () => {
  test.each<readonly [string, string | Buffer]>([
    ['without an XML declaration', xml.replace(/^<\?xml.*?\?>/, '')],
    ['with a byte order mark', `\uFEFF${xml}`],
    ['in UTF-16', Buffer.from(`\uFEFF${xml.replace('UTF-8', 'UTF-16')}`, 'utf16le')],
    ['in ISO-8859-1', Buffer.from(xml.replace('UTF-8', 'ISO-8859-1'), 'latin1')],
    ['with line breaks between what is signed and what is not', xml.replace('<protNFe', '\r\n  <protNFe')],
    ['with white space around the root', `${xml}\r\n\r\n`],
    ['with prefixes beside the invoice', withPrefixes(xml, /<protNFe.*<\/protNFe>/s)],
    ['with a comment that says DOCTYPE', xml.replace('<natOp>', '<natOp><!-- <!DOCTYPE a> -->')],
    ['with CDATA instead of text', xml.replace(/<natOp>([^<]*)</, '<natOp><![CDATA[$1]]><')],
    [
      'with attributes in another order and quotes',
      xml.replace(/<infNFe (Id="[^"]*") versao="4.00"/, "<infNFe versao='4.00' $1"),
    ],
    ['with a SignatureValue that goes over lines', xml.replace(/(<SignatureValue>[^<]{9})/, '$1\r\n')],
    [
      'with a certificate on lines of its own',
      xml.replace(/<X509Certificate>([^<]*)</, '<X509Certificate>\r\n$1\r\n<'),
    ],
  ])('%s', async (_, document) => {
    expect(await verdictOf(document)).toMatchObject({ validationStatus: 'VALIDATED' });
  });

  test('that says DOCTYPE in CDATA is read, not refused', async () => {
    expect(await verdictOf(xml.replace('<natOp>', '<natOp><![CDATA[<!DOCTYPE a>]]>'))).toMatchObject({
      reason: 'The invoice is not what was signed.',
    });
  });

  test('without nfeProc, when the authority has it on record', async () => {
    const bare = withoutProtocol(profileXml('autorizada'));
    expect(await verdictOf(bare)).toMatchObject({ validationStatus: 'VALIDATED' });
  });

  test('with CR and LF where it was signed with LF', async () => {
    const document = foreignDocument(8);
    const lines = invoiceIn(document.xml).replaceAll('><', '>\n<');
    const signed = signedWith(document, lines, lines.replace('<infNFe', `<infNFe xmlns="${layout}"`));
    expect(await verdictOf(signed)).toMatchObject({ validationStatus: 'VALIDATED' });
    expect(await verdictOf(signed.replaceAll('\n', '\r\n'))).toMatchObject({ validationStatus: 'VALIDATED' });
    expect(await verdictOf(signed.replaceAll('\n', '\n '))).toMatchObject({ validationStatus: 'REJECTED' });
  });

  test('with prefixes that it was signed with', async () => {
    const document = foreignDocument(9);
    const prefixed = withPrefixes(invoiceIn(document.xml), /.*/s);
    // The namespace of the elements around it holds within it too.
    const signed = signedWith(document, prefixed, prefixed.replace('<n:infNFe', `<n:infNFe xmlns="${layout}"`));
    expect(await verdictOf(signed)).toMatchObject({ validationStatus: 'VALIDATED' });
  });
});

test.each(['autorizada', 'rejeitada'] as const)('the document %s has the protocol that is on record', async (which) => {
  const text = (element: string): string => new RegExp(`<${element}>([^<]*)<`).exec(profileXml(which))?.[1] ?? '';
  const verdict = verdictIn(await (await testVerifier(simulator)).lookUp(text('chNFe')));
  expect(verdict).toMatchObject({
    protocolo: { numero: text('nProt'), digestValue: text('digVal') },
    dataAutorizacao: new Date(text('dhRecbto')).toISOString(),
  });
});

test.each([
  ['35261099999991000125550010000020011172904570', 'REJECTED', 'Cancelada'],
  ['35261099999991000125550010000020021172904578', 'REJECTED', 'Denegada'],
  ['35261099999991000125550010000020031172904575', 'REJECTED', 'Inutilizada'],
  ['35261099999991000125550010000020041172904572', 'VALIDATION_ERROR', 'Desconhecida'],
  ['35261099999991000125550010000020051172904570', 'VALIDATED', 'Autorizada'],
])('the documented chave %s is %s and %s', async (chave, validationStatus, status) => {
  const answer = await (await testVerifier(simulator)).lookUp(chave);
  expect(verdictIn(answer)).toMatchObject({ validationStatus, status });
});

test('the documented chave fails with 500', async () => {
  const answer = await (await testVerifier(simulator)).lookUp('35261099999991000125550010000020061172904577');
  expect(answer).toMatchObject({ status: 500, json: { code: 'SIM-SYSTEM' } });
});

test('what a sound document says is what the authority knows from then on, and no verdict on an altered one is', async () => {
  const { chave, xml } = foreignDocument(10);
  const [somebody, verifier] = [await testVerifier(simulator), await testVerifier(simulator)];
  const altered = xml.replace('<vNF>59.90<', '<vNF>59.91<');
  await verifier.verify(altered);
  expect((await somebody.lookUp(chave)).status).toBe(404);
  await verifier.verify(xml);
  await verifier.verify(altered);
  expect(verdictIn(await verifier.lookUp(chave))).toMatchObject({ validationStatus: 'REJECTED' });
  expect(verdictIn(await somebody.lookUp(chave))).toMatchObject({ validationStatus: 'VALIDATED', cStat: '100' });
});
