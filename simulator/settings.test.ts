import { describe, expect, test } from 'vitest';
import { nfeProc } from './documents/nfe-xml.ts';
import { chaveOf, isAnyCnpj, isCnpj } from './documents/tax-numbers.ts';
import { unknownFieldFaults, unknownFields } from './issuance/content.ts';
import { type LoggedRequest, requestLog } from './request-log.ts';
import { certificateFault } from './settings.ts';
import { testIssuer, profileFile } from './testing/company.ts';
import { documentOf, profileEmpresa, testVerifier, verdictIn } from './testing/documents.ts';
import { profileBody } from './testing/invoice-bodies.ts';
import { runningSimulator } from './testing/call.ts';
import { parseJsonObject } from './http/json.ts';

const lines: LoggedRequest[] = [];
const usual = runningSimulator({ log: (request) => void lines.push(request) });
const forgiving = runningSimulator({ reissueAfterDenial: true });
const strict = runningSimulator({ strictContent: true });
const lettered = runningSimulator({ alphanumericCnpj: true });
const profileCompany = parseJsonObject(profileFile('empresa.json')) ?? {};
const checking = runningSimulator({ certificateCheck: 'issuance' });

describe('the id of a denied invoice', () => {
  const denied = { informacoesAdicionais: 'SIMULAR-NEGADA-302' };

  test('is taken for good', async () => {
    const issuer = await testIssuer(usual);
    await issuer.issue('a', denied);
    await issuer.advance(0);
    expect(await issuer.issue('a')).toMatchObject({ status: 400, json: [{ codigo: 'SIM-NFE-ID-REPETIDO' }] });
  });

  test('may be issued again where that is wished, once it was denied', async () => {
    const issuer = await testIssuer(forgiving, { settleSeconds: 5 });
    await issuer.issue('a', denied);
    expect(await issuer.issue('a')).toMatchObject({ status: 400 });
    await issuer.advance(5);
    expect((await issuer.query('a')).json).toMatchObject({ status: 'Negada' });
    expect(await issuer.issue('a')).toMatchObject({ status: 200 });
    expect((await issuer.query('a')).json).toMatchObject({ status: 'AguardandoAutorizacao' });
    await issuer.advance(5);
    expect((await issuer.query('a')).json).toMatchObject({ status: 'Autorizada' });
    expect(await issuer.issue('a')).toMatchObject({ status: 400 });
  });
});

describe('fields that the simulator does not use', () => {
  const further = { ibsCbs: {}, naturezaOperacoes: 'VENDA', transporte: { volume: [] } };

  test('are told in its log', async () => {
    const issuer = await testIssuer(usual);
    expect(await issuer.issue('b', further)).toMatchObject({ status: 200 });
    expect(lines.at(-1)).toMatchObject({
      method: 'POST',
      status: 200,
      notes: ['unused: transporte.volume', 'unused: ibsCbs', 'unused: naturezaOperacoes'],
    });
  });

  test('are refused where that is wished', async () => {
    const issuer = await testIssuer(strict);
    const refused = await issuer.issue('b', further);
    expect(refused.status).toBe(400);
    expect(refused.json).toContainEqual({
      codigo: 'SIM-NFE-CAMPO-DESCONHECIDO',
      mensagem: 'naturezaOperacoes não é usado pelo simulador',
    });
    expect(await issuer.issue('b')).toMatchObject({ status: 200 });
  });

  test('are those that other fields leave no place for, unless they are zero', () => {
    const impostos = {
      icms: { situacaoTributaria: '102', aliquota: 18, baseCalculo: 0 },
      pis: { situacaoTributaria: '07', porAliquota: { aliquota: 1.65 } },
      cofins: { situacaoTributaria: '01', porAliquota: { aliquota: 7.6 } },
      ipi: { situacaoTributaria: '53', porAliquota: { aliquota: 0 } },
      ibsCbs: { situacaoTributaria: '410', classificacaoTributaria: '410999', baseCalculo: 10 },
    };
    const formas = [
      { tipo: 'Pix', descricao: 'Permuta' },
      { tipo: 'Outros', descricao: 'Permuta' },
    ];
    const body = {
      indicadorPresencaConsumidor: 'OperacaoPelaInternet',
      cliente: { indicadorContribuinteICMS: 'Isento', inscricaoEstadual: '123456' },
      pedido: { presencaConsumidor: 'OperacaoPresencial', pagamento: { formas } },
      itens: [{ impostos }],
    };
    expect(unknownFields(body)).toEqual([
      { path: 'cliente.inscricaoEstadual', isKnown: true },
      { path: 'pedido.presencaConsumidor', isKnown: true },
      { path: 'pedido.pagamento.formas[0].descricao', isKnown: true },
      { path: 'itens[0].impostos.icms.aliquota', isKnown: true },
      { path: 'itens[0].impostos.pis.porAliquota', isKnown: true },
      { path: 'itens[0].impostos.ibsCbs.baseCalculo', isKnown: true },
    ]);
    expect(unknownFieldFaults(body)[0]?.message).toBe(
      'cliente.inscricaoEstadual não tem lugar na nota com o que os outros campos dizem',
    );
  });

  test('are found in lists too, and not where they say nothing', () => {
    const item = { ncn: '61091000', descricao: 'x', impostos: { icms: { cst: '00' } }, cest: null };
    expect(unknownFields({ itens: [{}, item], id: 'a', ambienteEmissao: 'Homologacao', outro: '' })).toEqual([
      { path: 'itens[1].ncn', isKnown: false },
      { path: 'itens[1].impostos.icms.cst', isKnown: false },
    ]);
  });
});

describe('a certificate', () => {
  const { certificate, ...empresa } = profileEmpresa();
  const validMs = certificate.notBeforeMs + 1;

  test.each([
    ['suits its company', {}, validMs, undefined],
    ['suits a branch of its company', { cnpj: `${empresa.data.cnpj.slice(0, 8)}000206` }, validMs, undefined],
    ['is another company’s', { cnpj: '11222333000181' }, validMs, 'SIM-CERTIFICADO-OUTRA-EMPRESA'],
    ['has expired', {}, certificate.notAfterMs + 1, 'SIM-CERTIFICADO-VENCIDO'],
    ['is not valid yet', {}, certificate.notBeforeMs - 1, 'SIM-CERTIFICADO-VALIDADE'],
  ])('that %s', (_, change, nowMs, code) => {
    expect(certificateFault({ ...certificate, ...change }, empresa, nowMs)?.code).toBe(code);
  });

  test('that has expired is refused at the issuance where that is wished, else denied at the settlement', async () => {
    const thirtyYears = 30 * 366 * 24 * 60 * 60;
    const issuer = await testIssuer(checking);
    expect(await issuer.issue('c')).toMatchObject({ status: 200 });
    await issuer.advance(thirtyYears);
    const refused = await issuer.issue('d');
    expect(refused).toMatchObject({ status: 400, json: [{ codigo: 'SIM-CERTIFICADO-VENCIDO' }] });
    const other = await testIssuer(usual);
    await other.advance(thirtyYears);
    expect(await other.issue('d')).toMatchObject({ status: 200 });
    await other.advance(0);
    expect((await other.query('d')).json).toMatchObject({ status: 'Negada' });
  });
});

describe('a CNPJ with letters', () => {
  const cnpj = '12ABC34501DE35';
  const company = {
    cliente: Object.assign({}, profileBody('autorizada')['cliente'], { tipoPessoa: 'J', cpfCnpj: cnpj }),
  };
  const input = documentOf(profileBody('autorizada'), { data: { cnpj } });
  const chave = chaveOf({ ...input, ufCode: '35', cnpj, cNF: '00001234' });
  const xml = nfeProc({ ...input, chave }).xml;

  test('has the check digits that the tax authority shows', () => {
    expect(isAnyCnpj(cnpj)).toBe(true);
    expect(isAnyCnpj('12ABC34501DE36')).toBe(false);
    expect(isAnyCnpj('12abc34501de35')).toBe(false);
    expect(isCnpj(cnpj)).toBe(false);
  });

  test('is none, as the contract has it', async () => {
    const [issuer, verifier] = [await testIssuer(usual), await testVerifier(usual)];
    expect(await issuer.issue('e', company)).toMatchObject({
      status: 400,
      json: [{ codigo: 'SIM-NFE-CAMPO-FORMATO' }],
    });
    expect(await issuer.ask('POST', '/openapi/v2/empresas', { ...profileCompany, cnpj })).toMatchObject({
      status: 400,
    });
    expect(await verifier.consult(`cnpj/${cnpj}`)).toMatchObject({ status: 400 });
    expect(await verifier.lookUp(chave)).toMatchObject({ status: 400 });
    expect(await verifier.verify(xml)).toMatchObject({ status: 400, json: { code: 'SIM-XML-WITHOUT-CHAVE' } });
  });

  test('is taken wherever one stands, where that is wished', async () => {
    const [issuer, verifier] = [await testIssuer(lettered), await testVerifier(lettered)];
    expect(await issuer.issue('e', company)).toMatchObject({ status: 200 });
    await issuer.advance(0);
    expect((await issuer.query('e')).json).toMatchObject({ status: 'Autorizada' });
    expect(await issuer.ask('POST', '/openapi/v2/empresas', { ...profileCompany, cnpj })).toMatchObject({
      status: 200,
    });
    expect(await verifier.consult(`cnpj/${cnpj}`)).toMatchObject({ status: 200 });
    expect(await verifier.lookUp(chave)).toMatchObject({ status: 404 });
    // It is signed with a certificate of the profile's company.
    expect(verdictIn(await verifier.verify(xml))).toMatchObject({ reason: 'The certificate is not of the issuer.' });
  });
});

test.each([
  ['pretty', '10:00:00.000 200 POST /openapi/v2/empresas 3 ms  unused: a?b\n'],
  [
    'json',
    '{"at":"2031-05-17T10:00:00.000Z","method":"POST","path":"/openapi/v2/empresas","status":200,"ms":3,"notes":["unused: a\\nb"]}\n',
  ],
  ['off', undefined],
] as const)('a request is a line in the %s form of the log', (form, line) => {
  const written: string[] = [];
  requestLog(
    form,
    (text) => void written.push(text),
  )?.({
    at: '2031-05-17T10:00:00.000Z',
    method: 'POST',
    path: '/openapi/v2/empresas',
    status: 200,
    ms: 3,
    notes: ['unused: a\nb'],
  });
  expect(written[0]).toBe(line);
});
