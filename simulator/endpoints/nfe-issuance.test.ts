import { describe, expect, test } from 'vitest';
import { member } from '../../schemas/values.ts';
import { send, signedCall, anyText, runningSimulator, textIn } from '../testing/call.ts';
import { testClockStart, testIssuer } from '../testing/company.ts';

const simulator = runningSimulator();
const refused = (...codes: string[]): object => ({
  status: 400,
  json: codes.map((codigo) => ({ codigo, mensagem: anyText })),
});

describe('an issuance', () => {
  test.each(['$&', '$1', '$$', '$`'])('under the taken id %s is refused by a text that has it as it is', async (id) => {
    const issuer = await testIssuer(simulator);
    await issuer.issue(id);
    const { json } = await issuer.issue(id);
    const mensagem = `Já existe uma NF-e com o id ${id} nesta empresa.`;
    expect(json).toEqual([{ codigo: 'SIM-NFE-ID-REPETIDO', mensagem }]);
  });

  test('of more than 4 MiB is refused before it is read', async () => {
    const issuer = await testIssuer(simulator);
    const text = (length: number): object => ({ naturezaOperacao: 'x'.repeat(length) });
    expect(await issuer.issue('a', text(4 * 1024 * 1024))).toMatchObject(refused('SIM-NFE-CORPO'));
    expect(await issuer.issue('a', text(1024 * 1024))).toMatchObject(refused('SIM-NFE-CAMPO-TAMANHO'));
  });

  test('nested a hundred thousand levels deep is refused, and the next one served', async () => {
    const issuer = await testIssuer(simulator);
    const target = `/openapi/v2/empresas/${issuer.empresaId}/nf-e`;
    const timestamp = String(Date.parse(testClockStart) / 1000);
    const body = `{"id":"a","ambienteEmissao":"Homologacao","itens":${'['.repeat(1e5)}${']'.repeat(1e5)}}`;
    const call = signedCall({ token: issuer.appSecret, method: 'POST', target, body, timestamp });
    expect((await send(simulator.baseUrl, call)).status).toBe(400);
    expect((await issuer.issue('a')).status).toBe(200);
  });
});

describe('numbers', () => {
  test('go by company and environment, without gaps, from where the company starts', async () => {
    const issuer = await testIssuer(simulator);
    const numberOf = async (id: string): Promise<unknown> => member((await issuer.query(id)).json, 'numero');
    await issuer.issue('a');
    await issuer.issue('b', { ambienteEmissao: 'Producao' });
    await issuer.issue('c');
    expect([await numberOf('a'), await numberOf('b'), await numberOf('c')]).toEqual([1, 1, 2]);
  });

  test('stand in the chave', async () => {
    const issuer = await testIssuer(simulator);
    await issuer.issue('a');
    const { json } = await issuer.query('a');
    expect(textIn(json, 'chaveAcesso')).toMatch(/^353105999999910001255500100000000[1]1\d{9}$/);
  });
});
