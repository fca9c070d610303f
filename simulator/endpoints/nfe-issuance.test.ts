import { describe, expect, test } from 'vitest';
import { member } from '../../schemas/values.ts';
import { signedCall, send } from '../testing/call.ts';
import { invoiceBody, profileText, testClockStart, testIssuer } from '../testing/company.ts';
import { anyText, textLike } from '../testing/matchers.ts';
import { runningSimulator, textIn } from '../testing/running.ts';

const simulator = runningSimulator();
const refused = (...codes: string[]): object => ({
  status: 400,
  json: codes.map((codigo) => ({ codigo, mensagem: anyText })),
});

describe('an issuance', () => {
  test('is accepted with 200 and zero bytes', async () => {
    const issuer = await testIssuer(simulator);
    expect(await issuer.issue('a')).toMatchObject({ status: 200, bodyText: '', headers: { 'content-length': '0' } });
  });

  test('settles as soon as its response has gone out', async () => {
    const issuer = await testIssuer(simulator);
    await issuer.issue('a');
    await expect.poll(async () => (await issuer.query('a')).json).toMatchObject({ status: 'Autorizada' });
  });

  test('settles on the clock of its application, as long after as that has it', async () => {
    const issuer = await testIssuer(simulator, { settleSeconds: 30 });
    await issuer.issue('a');
    await issuer.advance(29);
    expect((await issuer.query('a')).json).toMatchObject({ status: 'AguardandoAutorizacao' });
    await issuer.advance(1);
    expect((await issuer.query('a')).json).toMatchObject({
      status: 'Autorizada',
      dataAutorizacao: '2031-05-17T09:30:30.000Z',
      dataEmissao: testClockStart,
    });
  });

  test('ends denied where its text says so, with code and official description', async () => {
    const issuer = await testIssuer(simulator);
    await issuer.issue('a', { informacoesAdicionais: 'SIMULAR-NEGADA-302' });
    await issuer.advance(0);
    expect((await issuer.query('a')).json).toMatchObject({
      status: 'Negada',
      motivoStatus: textLike(/^302 - (Rejeição|Uso Denegado): Irregularidade fiscal do destinatário$/),
      linkDanfe: '',
      linkDownloadXml: '',
      protocolo: null,
    });
  });

  test('that is refused names every fault', async () => {
    const issuer = await testIssuer(simulator);
    const { json } = await issuer.ask('POST', '/openapi/v2/empresas/{empresa}/nf-e', { itens: [] });
    const codes = Array.isArray(json) ? json.map((fault: { codigo: string }) => fault.codigo) : [];
    expect(codes).toContain('SIM-NFE-ID');
    expect(codes).toContain('SIM-NFE-AMBIENTE');
    expect(codes.length).toBeGreaterThan(3);
  });

  test('for a company without certificate is refused', async () => {
    const { appSecret: token } = await simulator.application();
    const body = profileText('empresa.json');
    const registration = signedCall({ token, method: 'POST', target: '/openapi/v2/empresas', body });
    const { json } = await send(simulator.baseUrl, registration);
    const target = `/openapi/v2/empresas/${textIn(json, 'empresaId')}/nf-e`;
    const call = signedCall({ token, method: 'POST', target, body: JSON.stringify(invoiceBody('a')) });
    expect(await send(simulator.baseUrl, call)).toMatchObject(refused('SIM-EMPRESA-SEM-CERTIFICADO'));
  });

  test('for a company of another integrator is refused as for one that does not exist', async () => {
    const issuer = await testIssuer(simulator);
    const { appSecret: token } = await simulator.application();
    const issueFor = (empresaId: string) => {
      const body = JSON.stringify(invoiceBody('a'));
      const target = `/openapi/v2/empresas/${empresaId}/nf-e`;
      return send(simulator.baseUrl, signedCall({ token, method: 'POST', target, body }));
    };
    const [others, nobodys] = [await issueFor(issuer.empresaId), await issueFor('none')];
    expect(others.status).toBe(404);
    expect(others.bodyText).toBe(nobodys.bodyText);
  });

  test.each([undefined, null, 12, '', '  ', 'a'.repeat(201), ['a']])('with the id %j is refused', async (id) => {
    const issuer = await testIssuer(simulator);
    const body = invoiceBody('a', { id });
    expect(await issuer.ask('POST', '/openapi/v2/empresas/{empresa}/nf-e', body)).toMatchObject(refused('SIM-NFE-ID'));
  });

  test.each([undefined, 'producao', 'Teste', 2, null])(
    'with ambienteEmissao %j is refused',
    async (ambienteEmissao) => {
      const issuer = await testIssuer(simulator);
      expect(await issuer.issue('a', { ambienteEmissao })).toMatchObject(refused('SIM-NFE-AMBIENTE'));
    },
  );

  test('under an id of the company is refused, whatever became of the first', async () => {
    const issuer = await testIssuer(simulator);
    await issuer.issue('a', { informacoesAdicionais: 'SIMULAR-NEGADA-302' });
    expect(await issuer.issue('a')).toMatchObject(refused('SIM-NFE-ID-REPETIDO'));
    await issuer.advance(0);
    expect(await issuer.issue('a')).toMatchObject(refused('SIM-NFE-ID-REPETIDO'));
  });

  test.each(['$&', '$1', '$$', '$`'])('under the taken id %s is refused by a text that has it as it is', async (id) => {
    const issuer = await testIssuer(simulator);
    await issuer.issue(id);
    const { json } = await issuer.issue(id);
    const mensagem = `Já existe uma NF-e com o id ${id} nesta empresa.`;
    expect(json).toEqual([{ codigo: 'SIM-NFE-ID-REPETIDO', mensagem }]);
  });

  test.each(['', '{', '[]', 'null', '"a"', '{"a":'])('with the body %j gets 400 and the array', async (body) => {
    const issuer = await testIssuer(simulator);
    const target = `/openapi/v2/empresas/${issuer.empresaId}/nf-e`;
    const timestamp = String(Date.parse(testClockStart) / 1000);
    const call = signedCall({ token: issuer.appSecret, method: 'POST', target, body, timestamp });
    expect(await send(simulator.baseUrl, call)).toMatchObject(refused('SIM-NFE-CORPO'));
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
