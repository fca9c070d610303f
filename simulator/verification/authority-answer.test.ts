import { expect, test } from 'vitest';
import { foreignDocument, profileXml, testVerifier, verdictIn } from '../testing/documents.ts';
import { runningSimulator } from '../testing/call.ts';

const simulator = runningSimulator();

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
  const { chave, xml } = foreignDocument(4);
  const [somebody, verifier] = [await testVerifier(simulator), await testVerifier(simulator)];
  const altered = xml.replace('<vNF>59.90<', '<vNF>59.91<');
  await verifier.verify(altered);
  expect((await somebody.lookUp(chave)).status).toBe(404);
  await verifier.verify(xml);
  await verifier.verify(altered);
  expect(verdictIn(await verifier.lookUp(chave))).toMatchObject({ validationStatus: 'REJECTED' });
  expect(verdictIn(await somebody.lookUp(chave))).toMatchObject({ validationStatus: 'VALIDATED', cStat: '100' });
});
