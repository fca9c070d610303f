import { describe, expect, test } from 'vitest';
import { member } from '../../schemas/values.ts';
import type { TestAnswer } from '../testing/call.ts';
import { testIssuer } from '../testing/company.ts';
import { textLike } from '../testing/matchers.ts';
import { foreignDocument } from '../testing/nfe-documents.ts';
import { runningSimulator, textIn } from '../testing/running.ts';
import { profileXml, testVerifier, verdictIn, verifierOf } from '../testing/verifier.ts';

const simulator = runningSimulator();
const known = '35261099999991000125550010000010011172904576';

describe('a chave', () => {
  test('that is on record gets 200 and what verifying its document gets', async () => {
    const [one, other] = [await testVerifier(simulator), await testVerifier(simulator)];
    const looked = await one.lookUp(known);
    expect(looked.status).toBe(200);
    expect(looked.bodyText).toBe((await other.verify(profileXml('autorizada'))).bodyText);
  });

  test.each(['autorizada', 'rejeitada'] as const)(
    'of the document %s has the protocol of that document',
    async (which) => {
      const text = (element: string): string => new RegExp(`<${element}>([^<]*)<`).exec(profileXml(which))?.[1] ?? '';
      const verdict = verdictIn(await (await testVerifier(simulator)).lookUp(text('chNFe')));
      expect(verdict).toMatchObject({
        protocolo: { numero: text('nProt'), digestValue: text('digVal') },
        dataAutorizacao: new Date(text('dhRecbto')).toISOString(),
      });
    },
  );

  test('that nobody knows gets 404 and the code of the contract', async () => {
    const answer = await (await testVerifier(simulator)).lookUp(foreignDocument(1).chave);
    expect(answer).toMatchObject({ status: 404, json: { code: 10015004, message: textLike(/\S/) } });
  });

  test.each([
    ['of 43 digits', known.slice(1)],
    ['of 45 digits', `${known}0`],
    ['with a letter', `${known.slice(0, -1)}A`],
    ['with a wrong check digit', `${known.slice(0, -1)}0`],
    ['in other digits', encodeURIComponent(known.replace('1', '\u0661'))],
  ])('%s gets 400', async (_, chave) => {
    const answer = await (await testVerifier(simulator)).lookUp(chave);
    expect(answer).toMatchObject({ status: 400, json: { code: 'SIM-CHAVE-MALFORMED' } });
  });

  test.each([
    ['35261099999991000125550010000020011172904570', 'REJECTED', 'Cancelada', '101', ['110111']],
    ['35261099999991000125550010000020021172904578', 'REJECTED', 'Denegada', '302', []],
    ['35261099999991000125550010000020031172904575', 'REJECTED', 'Inutilizada', '102', []],
    ['35261099999991000125550010000020041172904572', 'VALIDATION_ERROR', 'Desconhecida', '999', []],
    ['35261099999991000125550010000020051172904570', 'VALIDATED', 'Autorizada', '100', ['110110']],
  ])('%s is documented as %s, %s', async (chave, validationStatus, status, cStat, kinds) => {
    const verdict = verdictIn(await (await testVerifier(simulator)).lookUp(chave));
    const eventos = kinds.map((tpEvento) => ({ tpEvento }));
    expect(verdict).toMatchObject({ validationStatus, status, cStat, eventos });
  });

  test('that is documented to fail gets 500', async () => {
    const failing = '35261099999991000125550010000020061172904577';
    const answer = await (await testVerifier(simulator)).lookUp(failing);
    expect(answer).toMatchObject({ status: 500, json: { code: 'SIM-SYSTEM' } });
  });

  test('is VALIDATION_ERROR while the authority is out of reach', async () => {
    const verifier = await testVerifier(simulator);
    await verifier.steer({ reachable: false });
    const answer = await verifier.lookUp(known);
    expect(answer.status).toBe(200);
    expect(verdictIn(answer)).toMatchObject({ validationStatus: 'VALIDATION_ERROR', cStat: null });
  });
});

/** The lookup of an invoice that was denied with that code. */
async function afterDenial(cStat: string): Promise<TestAnswer> {
  const issuer = await testIssuer(simulator);
  await issuer.issue('a', { informacoesAdicionais: `SIMULAR-NEGADA-${cStat}` });
  await issuer.advance(0);
  const chave = textIn((await issuer.query('a')).json, 'chaveAcesso');
  return verifierOf(simulator, issuer).lookUp(chave);
}

describe('an invoice that was issued here', () => {
  test('is found by every account, with the fields of a verdict and no more', async () => {
    const issuer = await testIssuer(simulator);
    await issuer.issue('a');
    await issuer.advance(0);
    const { json } = await issuer.query('a');
    const chaveAcesso = textIn(json, 'chaveAcesso');
    const answer = await (await testVerifier(simulator)).lookUp(chaveAcesso);
    expect(answer.json).toEqual({ chaveAcesso, validation: verdictIn(answer) });
    expect(verdictIn(answer)).toEqual({
      chaveAcesso,
      validationStatus: 'VALIDATED',
      status: 'Autorizada',
      cStat: '100',
      xMotivo: 'Autorizado o uso da NF-e',
      protocolo: member(json, 'protocolo'),
      dataAutorizacao: '2031-05-17T09:30:00.000Z',
      eventos: [],
      verifiedAt: '2031-05-17T09:30:00.000Z',
    });
  });

  test('shows its cancellation', async () => {
    const issuer = await testIssuer(simulator);
    await issuer.issue('a');
    await issuer.advance(0);
    const chave = textIn((await issuer.query('a')).json, 'chaveAcesso');
    await issuer.ask('DELETE', '/openapi/v2/empresas/{empresa}/nf-e/a');
    const verdict = verdictIn(await verifierOf(simulator, issuer).lookUp(chave));
    expect(verdict).toMatchObject({ status: 'Cancelada', cStat: '101', eventos: [{ tpEvento: '110111' }] });
  });

  test('and whose use was denied is Denegada', async () => {
    const verdict = verdictIn(await afterDenial('302'));
    expect(verdict).toMatchObject({ validationStatus: 'REJECTED', status: 'Denegada', cStat: '302' });
  });

  test('and was sent back is not on record', async () => {
    expect(await afterDenial('610')).toMatchObject({ status: 404, json: { code: 10015004 } });
  });

  test('and waits is not on record', async () => {
    const issuer = await testIssuer(simulator, { settleSeconds: 60 });
    await issuer.issue('a');
    const chave = textIn((await issuer.query('a')).json, 'chaveAcesso');
    expect((await verifierOf(simulator, issuer).lookUp(chave)).status).toBe(404);
  });
});

describe('after a verification', () => {
  test('a lookup shows its verdict, whatever forceRevalidate says', async () => {
    const { chave, xml } = foreignDocument(2);
    const verifier = await testVerifier(simulator);
    const verified = await verifier.verify(xml);
    await simulator.control('PUT', `/authority/invoices/${chave}`, { status: 'Cancelada' });
    expect((await verifier.lookUp(chave, { forceRevalidate: 'true' })).bodyText).toBe(verified.bodyText);
  });

  test('a lookup shows the verdict that settled', async () => {
    const { chave, xml } = foreignDocument(3);
    const verifier = await testVerifier(simulator, { settleSeconds: 60 });
    await verifier.verify(xml);
    await simulator.control('PUT', `/authority/invoices/${chave}`, { status: 'Cancelada' });
    expect(verdictIn(await verifier.lookUp(chave))).toMatchObject({ status: 'Autorizada' });
    await verifier.advance(60);
    expect(verdictIn(await verifier.lookUp(chave))).toMatchObject({
      status: 'Cancelada',
      verifiedAt: '2031-05-17T09:31:00.000Z',
    });
  });

  test('a lookup asks anew what could not be judged, and judges the document by it', async () => {
    const verifier = await testVerifier(simulator);
    await verifier.steer({ reachable: false });
    await verifier.verify(profileXml('rejeitada'));
    await verifier.advance(0);
    await verifier.steer({ reachable: true });
    const verdict = verdictIn(await verifier.lookUp('35261099999991000125550010000010021271828182'));
    expect(verdict).toMatchObject({ validationStatus: 'REJECTED', status: 'Autorizada' });
  });

  test('a lookup by somebody else tells what the authority learnt by it, and no verdict on the document', async () => {
    const { chave, xml } = foreignDocument(4);
    const somebody = await testVerifier(simulator);
    expect((await somebody.lookUp(chave)).status).toBe(404);
    const altered = xml.replace('<vNF>59.90<', '<vNF>59.91<');
    const verifier = await testVerifier(simulator);
    await verifier.verify(altered);
    expect((await somebody.lookUp(chave)).status).toBe(404);
    await verifier.verify(xml);
    await verifier.verify(altered);
    expect(verdictIn(await verifier.lookUp(chave))).toMatchObject({ validationStatus: 'REJECTED' });
    expect(verdictIn(await somebody.lookUp(chave))).toMatchObject({ validationStatus: 'VALIDATED', cStat: '100' });
  });
});
