import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { verdict as verdictSchema } from '../../schemas/verdict.ts';
import { validator } from '../../schemas/validate.ts';
import { testIssuer } from '../testing/company.ts';
import { textLike } from '../testing/matchers.ts';
import { foreignDocument, withoutProtocol } from '../testing/nfe-documents.ts';
import { runningSimulator, textIn } from '../testing/running.ts';
import { profileXml, testVerifier, verdictIn, verifierOf } from '../testing/verifier.ts';

const simulator = runningSimulator();
const verdictFaults = validator(verdictSchema);

function putRecord(chave: string, record: object): Promise<unknown> {
  return simulator.control('PUT', `/authority/invoices/${chave}`, record);
}

/** The XML of an invoice that was issued here. */
async function issuedXml(): Promise<{ issuer: Awaited<ReturnType<typeof testIssuer>>; xml: string }> {
  const issuer = await testIssuer(simulator);
  await issuer.issue('a');
  await issuer.advance(0);
  const link = textIn((await issuer.query('a')).json, 'linkDownloadXml');
  const { body } = await request(link);
  return { issuer, xml: await body.text() };
}

describe('a document that is verified', () => {
  test('gets 200 and its chave with the verdict, all of it, in no envelope', async () => {
    const verifier = await testVerifier(simulator);
    const answer = await verifier.verify(profileXml('autorizada'));
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      chaveAcesso: '35261099999991000125550010000010011172904576',
      validation: {
        chaveAcesso: '35261099999991000125550010000010011172904576',
        validationStatus: 'VALIDATED',
        status: 'Autorizada',
        cStat: '100',
        xMotivo: 'Autorizado o uso da NF-e',
        protocolo: { numero: '135260000001729', digestValue: 'PGUApdUE0XmpQqCOGrQApubpx04=' },
        dataAutorizacao: '2026-10-05T13:00:07.000Z',
        eventos: [],
        verifiedAt: '2031-05-17T09:30:00.000Z',
      },
    });
  });

  test('whose content was altered is REJECTED with 200 and a reason', async () => {
    const verifier = await testVerifier(simulator);
    const answer = await verifier.verify(profileXml('rejeitada'));
    expect(answer.status).toBe(200);
    expect(verdictFaults(verdictIn(answer))).toEqual([]);
    expect(verdictIn(answer)).toMatchObject({
      validationStatus: 'REJECTED',
      reason: 'The invoice is not what was signed.',
    });
  });

  test('is VALIDATED when it is the one that was issued here', async () => {
    const { issuer, xml } = await issuedXml();
    const digestValue = /<DigestValue>([^<]*)/.exec(xml)?.[1];
    expect(verdictIn(await verifierOf(simulator, issuer).verify(xml))).toMatchObject({
      validationStatus: 'VALIDATED',
      protocolo: { digestValue },
    });
  });

  test('is VALIDATED by its own protocol when it was issued elsewhere', async () => {
    const { xml } = foreignDocument(1);
    const verdict = verdictIn(await (await testVerifier(simulator)).verify(xml));
    expect(verdict).toMatchObject({ validationStatus: 'VALIDATED', protocolo: { numero: '135310000000007' } });
  });

  test('is REJECTED as NaoEncontrada when nobody knows it', async () => {
    const verdict = verdictIn(await (await testVerifier(simulator)).verify(withoutProtocol(foreignDocument(2).xml)));
    expect(verdict).toMatchObject({ validationStatus: 'REJECTED', status: 'NaoEncontrada', cStat: '217' });
  });

  test.each([
    ['Cancelada', 'REJECTED', '101'],
    ['Denegada', 'REJECTED', '110'],
    ['Inutilizada', 'REJECTED', '102'],
    ['NaoEncontrada', 'REJECTED', '217'],
    ['Desconhecida', 'VALIDATION_ERROR', '999'],
  ])('that the authority has as %s is %s', async (status, validationStatus, cStat) => {
    const { chave, xml } = foreignDocument(3);
    await putRecord(chave, { status });
    const verdict = verdictIn(await (await testVerifier(simulator)).verify(xml));
    expect(verdict).toMatchObject({ status, validationStatus, cStat, reason: textLike(/^[A-Z].*\.$/) });
  });

  test('is VALIDATION_ERROR, with nothing of the authority, while that is out of reach', async () => {
    const verifier = await testVerifier(simulator);
    await verifier.steer({ reachable: false });
    const answer = await verifier.verify(profileXml('rejeitada'));
    expect(answer.status).toBe(200);
    expect(verdictIn(answer)).toEqual({
      chaveAcesso: '35261099999991000125550010000010021271828182',
      validationStatus: 'VALIDATION_ERROR',
      status: 'Desconhecida',
      cStat: null,
      xMotivo: null,
      protocolo: null,
      dataAutorizacao: null,
      eventos: [],
      verifiedAt: '2031-05-17T09:30:00.000Z',
      reason: 'The tax authority was not reached.',
    });
  });

  test('shows an authorisation time in UTC, in whatever zone the authority has it', async () => {
    const { chave, xml } = foreignDocument(4);
    await putRecord(chave, { status: 'Cancelada', dataAutorizacao: '2031-05-17T07:00:00+02:00' });
    const verdict = verdictIn(await (await testVerifier(simulator)).verify(xml));
    expect(verdict).toMatchObject({ dataAutorizacao: '2031-05-17T05:00:00.000Z' });
  });

  test('fails with 500 and no more than a code and a text for the documented chave', async () => {
    const failing = '35261099999991000125550010000020061172904577';
    const xml = profileXml('autorizada').replaceAll('35261099999991000125550010000010011172904576', failing);
    const answer = await (await testVerifier(simulator)).verify(xml, { language: 'en' });
    expect(answer).toMatchObject({ status: 500, json: { code: 'SIM-SYSTEM', message: 'System error' } });
    expect(answer.bodyText).toBe('{"code":"SIM-SYSTEM","message":"System error"}');
  });
});

describe('a body that is no document', () => {
  const xml = profileXml('autorizada');
  const sized = (bytes: number): string => xml.trimEnd() + ' '.repeat(bytes - Buffer.byteLength(xml.trimEnd()));

  test.each<readonly [string, string | Buffer, string]>([
    ['nothing', '', 'SIM-XML-EMPTY'],
    ['white space', ' \r\n\t', 'SIM-XML-EMPTY'],
    ['a byte order mark alone', '\uFEFF', 'SIM-XML-EMPTY'],
    ['one byte more than 2^20', sized(1_048_577), 'SIM-XML-TOO-LARGE'],
    ['16 MiB', sized(16 * 1024 * 1024), 'SIM-XML-TOO-LARGE'],
    ['bytes that are not UTF-8', Buffer.from(xml.replace('FICTICIA', 'FICTÍCIA'), 'latin1'), 'SIM-XML-ENCODING'],
    ['an encoding that does not exist', xml.replace('UTF-8', 'UTF-9'), 'SIM-XML-ENCODING'],
    ['a DTD', `<!DOCTYPE nfeProc>${xml.replace(/^<\?xml.*?\?>/, '')}`, 'SIM-XML-DTD'],
    ['a DTD with entities', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'SIM-XML-DTD'],
    ['a DTD from elsewhere', '<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd"><a/>', 'SIM-XML-DTD'],
    ['an element that is not closed', xml.replace('</emit>', ''), 'SIM-XML-MALFORMED'],
    ['two roots', `${xml}<a/>`, 'SIM-XML-MALFORMED'],
    ['a prefix that is bound to nothing', xml.replace('<ide>', '<p:ide/><ide>'), 'SIM-XML-MALFORMED'],
    ['a bare ampersand', xml.replace('FICTICIA', 'A & B'), 'SIM-XML-MALFORMED'],
    ['no XML at all', '{"chave":"1"}', 'SIM-XML-MALFORMED'],
    ['another document', '<a/>', 'SIM-XML-WITHOUT-CHAVE'],
    ['an invoice without Id', xml.replace(/ Id="NFe\d+"/, ''), 'SIM-XML-WITHOUT-CHAVE'],
    ['an Id of 43 digits', xml.replace(/(Id="NFe\d{43})\d/, '$1'), 'SIM-XML-WITHOUT-CHAVE'],
    ['two invoices', xml.replace(/<NFe.*<\/NFe>/s, (nfe) => nfe + nfe), 'SIM-XML-SEVERAL-INVOICES'],
    [
      'an invoice of another layout',
      xml.replaceAll('portalfiscal.inf.br/nfe', 'portalfiscal.inf.br/cte'),
      'SIM-XML-WITHOUT-CHAVE',
    ],
  ])('with %s gets 400', async (_, body, code) => {
    const answer = await (await testVerifier(simulator)).verify(body);
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ code, message: textLike(/\S/) });
  });

  test.each([1_000_000, 1_048_576])('is not what a document of %d bytes is', async (bytes) => {
    expect((await (await testVerifier(simulator)).verify(sized(bytes))).status).toBe(200);
  });

  test('is refused in the language that is asked for', async () => {
    const verifier = await testVerifier(simulator);
    const texts = await Promise.all(
      ['zh', 'en', 'pt', 'es'].map(async (language) =>
        textIn((await verifier.verify('', { language })).json, 'message'),
      ),
    );
    expect(new Set(texts).size).toBe(4);
    expect(textIn((await verifier.verify('')).json, 'message')).toBe(texts[2]);
  });
});

describe('a verdict that is known', () => {
  test('answers for the same document again', async () => {
    const { chave, xml } = foreignDocument(10);
    const verifier = await testVerifier(simulator);
    const first = await verifier.verify(xml);
    await putRecord(chave, { status: 'Cancelada' });
    await verifier.advance(60);
    expect((await verifier.verify(xml)).bodyText).toBe(first.bodyText);
  });

  test.each(['forceRevalidate', 'FORCEREVALIDATE', 'forcerevalidate'])('gives way to %s: true', async (name) => {
    const { chave, xml } = foreignDocument(11);
    const verifier = await testVerifier(simulator);
    await putRecord(chave, { status: 'Autorizada' });
    await verifier.verify(xml);
    await putRecord(chave, { status: 'Cancelada' });
    expect(verdictIn(await verifier.verify(xml, { [name]: 'true' }))).toMatchObject({ status: 'Cancelada' });
  });

  test('does not give way to forceRevalidate: false', async () => {
    const { chave, xml } = foreignDocument(12);
    const verifier = await testVerifier(simulator);
    await verifier.verify(xml);
    await putRecord(chave, { status: 'Cancelada' });
    expect(verdictIn(await verifier.verify(xml, { forceRevalidate: 'false' }))).toMatchObject({ status: 'Autorizada' });
  });

  test('answers for no other document with the same chave', async () => {
    const { xml } = foreignDocument(13);
    const verifier = await testVerifier(simulator);
    await verifier.verify(xml);
    const altered = xml.replace('<xBairro>', '<xBairro>X');
    expect(verdictIn(await verifier.verify(altered))).toMatchObject({ validationStatus: 'REJECTED' });
    expect(verdictIn(await verifier.verify(xml))).toMatchObject({ validationStatus: 'VALIDATED' });
  });

  test('answers nobody else', async () => {
    const { chave, xml } = foreignDocument(14);
    const [one, other] = [await testVerifier(simulator), await testVerifier(simulator)];
    await one.verify(xml);
    await putRecord(chave, { status: 'Cancelada' });
    expect(verdictIn(await other.verify(xml))).toMatchObject({ status: 'Cancelada' });
  });

  test('is asked for anew when it was a VALIDATION_ERROR', async () => {
    const verifier = await testVerifier(simulator);
    await verifier.steer({ reachable: false });
    await verifier.verify(profileXml('autorizada'));
    await verifier.steer({ reachable: true });
    const verdict = verdictIn(await verifier.verify(profileXml('autorizada')));
    expect(verdict).toMatchObject({ validationStatus: 'VALIDATED' });
  });

  test('holds no more once the invoice is cancelled here', async () => {
    const { issuer, xml } = await issuedXml();
    const verifier = verifierOf(simulator, issuer);
    await verifier.verify(xml);
    await issuer.ask('DELETE', '/openapi/v2/empresas/{empresa}/nf-e/a');
    expect(verdictIn(await verifier.verify(xml))).toMatchObject({
      status: 'Cancelada',
      eventos: [{ tpEvento: '110111' }],
    });
  });
});
