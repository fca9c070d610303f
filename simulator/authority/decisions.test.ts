import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Empresa } from '../model.ts';
import { testIssuer, type TestIssuer } from '../testing/company.ts';
import { profileEmpresa } from '../testing/documents.ts';
import { bodyWith, contentOf, issuanceBodies, profileBody } from '../testing/invoice-bodies.ts';
import { runningSimulator } from '../testing/call.ts';
import { denials, judge } from './decisions.ts';
import { isDenial, returnText } from './return-codes.ts';

const nowMs = Date.parse('2031-05-17T09:30:00Z');
const empresa = profileEmpresa();
const { certificate } = empresa;

/** The code for the authorised body of the default profile with some fields replaced. */
function codeFor(fields: Readonly<Record<string, unknown>>, of: Empresa = empresa, atMs = nowMs): string {
  const content = contentOf(bodyWith(fields));
  return judge({ content, empresa: of, ambiente: 'Homologacao', nowMs: atMs }).cStat;
}

describe('the default profile', () => {
  test.each([
    ['autorizada', '100', 'Autorizado o uso da NF-e'],
    ['negada', '302', 'Rejeição: Irregularidade fiscal do destinatário'],
  ] as const)('its invoice "%s" gets %s', (name, cStat, xMotivo) => {
    const content = contentOf(profileBody(name));
    expect(judge({ content, empresa, ambiente: 'Homologacao', nowMs })).toEqual({ cStat, xMotivo });
  });
});

test('generated invoices with right sums are authorised', () => {
  fc.assert(
    fc.property(
      fc.boolean().chain((isSimples) => fc.tuple(fc.constant(isSimples), issuanceBodies(isSimples))),
      ([optanteSimplesNacional, body]) => {
        const of = { ...empresa, data: { ...empresa.data, optanteSimplesNacional } };
        const content = contentOf(body);
        expect(judge({ content, empresa: of, ambiente: 'Producao', nowMs }).cStat).toBe('100');
      },
    ),
  );
});

describe('asking for a denial', () => {
  test.each([
    ['SIMULAR-NEGADA-302', '302'],
    ['Pedido 7. SIMULAR-NEGADA-539.', '539'],
    ['SIMULAR-NEGADA-110 SIMULAR-NEGADA-302', '110'],
    ['SIMULAR-NEGADA-000', '999'],
    ['SIMULAR-NEGADA-30', '999'],
    ['SIMULAR-NEGADA-3021', '999'],
    ['SIMULAR-NEGADA-100', '999'],
    ['SIMULAR-NEGADA-135', '999'],
    ['SIMULAR-NEGADA-', '100'],
    ['SIMULAR-NEGADA', '100'],
    ['simular-negada-302', '100'],
  ])('%j gets %s', (informacoesAdicionais, cStat) => {
    expect(codeFor({ informacoesAdicionais })).toBe(cStat);
  });

  test('comes before any other reason', () => {
    const fields = { informacoesAdicionais: 'SIMULAR-NEGADA-539', 'cliente.cpfCnpj': '99999999000192' };
    expect(codeFor(fields)).toBe('539');
  });
});

describe('the certificate', () => {
  test('without one an invoice gets 290', () => {
    const { certificate: _, ...bare } = empresa;
    expect(codeFor({}, bare)).toBe('290');
  });

  test.each([
    [certificate.notBeforeMs - 1, '291'],
    [certificate.notBeforeMs, '100'],
    [certificate.notAfterMs, '100'],
    [certificate.notAfterMs + 1, '291'],
  ])('at %i an invoice gets %s', (atMs, cStat) => {
    expect(codeFor({}, empresa, atMs)).toBe(cStat);
  });

  test('that names no CNPJ gets 292', () => {
    const { cnpj: _, ...unnamed } = certificate;
    expect(codeFor({}, { ...empresa, certificate: unnamed })).toBe('292');
  });

  test.each([
    ['99999992000170', '213'],
    ['99999991000206', '100'],
  ])('of the CNPJ %s gets %s', (cnpj, cStat) => {
    expect(codeFor({}, { ...empresa, certificate: { ...certificate, cnpj } })).toBe(cStat);
  });
});

describe('the recipient', () => {
  test.each([
    ['J', '99999999000191', '100'],
    ['J', '99999999000192', '208'],
    ['J', '00000000000000', '208'],
    ['F', '99999999050', '100'],
    ['F', '99999999051', '237'],
    ['F', '11111111111', '237'],
  ])('%s %s gets %s', (tipoPessoa, cpfCnpj, cStat) => {
    expect(codeFor({ 'cliente.tipoPessoa': tipoPessoa, 'cliente.cpfCnpj': cpfCnpj })).toBe(cStat);
  });
});

describe('the taxation', () => {
  const outside: Empresa = { ...empresa, data: { ...empresa.data, optanteSimplesNacional: false } };
  const both = (code: string): Record<string, unknown> => ({
    'itens[0].impostos.icms.situacaoTributaria': code,
    'itens[1].impostos.icms.situacaoTributaria': code,
  });

  test('a single CST of a company under the Simples Nacional gets 590', () => {
    expect(codeFor({ 'itens[1].impostos.icms.situacaoTributaria': '41' })).toBe('590');
  });

  test('a single CSOSN of another company gets 591', () => {
    expect(codeFor({ 'itens[0].impostos.icms.situacaoTributaria': '41' }, outside)).toBe('591');
  });

  test('CST of a company outside the Simples Nacional is right', () => {
    expect(codeFor(both('41'), outside)).toBe('100');
  });
});

describe('sums', () => {
  /** An invoice whose first item of 2 × 12.50 is said to be worth so much, all else following. */
  const worth = (value: number): Record<string, unknown> => ({
    'itens[0].valorTotal': value,
    valorTotal: Number((value + 34.9).toFixed(2)),
    'pedido.pagamento.formas[0].valor': Number((value + 34.9).toFixed(2)),
  });

  test.each([
    [25.01, '100'],
    [24.99, '100'],
    [25.02, '629'],
    [24.98, '629'],
  ])('an item of 2 × 12.50 that is worth %d gets %s', (value, cStat) => {
    expect(codeFor(worth(value))).toBe(cStat);
  });

  test.each([59.91, 59.89, 0])('the total %d of 59.90 gets 610', (valorTotal) => {
    expect(codeFor({ valorTotal })).toBe('610');
  });

  test('without a stated total or item value the sums are right', () => {
    expect(codeFor({ valorTotal: null, 'itens[0].valorTotal': null })).toBe('100');
  });

  test('discount, freight and IPI count towards the total', () => {
    const fields = {
      'itens[0].descontos': 5,
      'transporte.frete.valor': 10,
      'itens[1].impostos.ipi': { situacaoTributaria: '50', porAliquota: { aliquota: 10 } },
      'pedido.pagamento.formas[0].valor': 68.39,
    };
    expect(codeFor({ ...fields, valorTotal: 68.39 })).toBe('100');
    expect(codeFor({ ...fields, valorTotal: 59.9 })).toBe('610');
  });
});

describe('payments', () => {
  const way = (tipo: string, valor: number): object => ({ tipo, valor });

  test.each([
    ['too little', { 'pedido.pagamento.formas': [way('Dinheiro', 59.89)] }, '865'],
    ['too much', { 'pedido.pagamento.formas': [way('Dinheiro', 60)] }, '866'],
    ['too much with change', { 'pedido.pagamento': { formas: [way('Dinheiro', 60)], troco: 0.1 } }, '100'],
    ['in two ways', { 'pedido.pagamento.formas': [way('Pix', 50), way('Dinheiro', 9.9)] }, '100'],
    ['none', { 'pedido.pagamento.formas': [way('SemPagamento', 0)] }, '100'],
    ['nothing for an adjustment', { finalidade: 'Ajuste', 'pedido.pagamento.formas': [way('Dinheiro', 0)] }, '100'],
  ])('%s', (_, fields, cStat) => {
    expect(codeFor(fields)).toBe(cStat);
  });
});

test('no two denials have one code', () => {
  const codes = denials.map(({ cStat }) => cStat);
  expect(new Set(codes).size).toBe(codes.length);
});

const simulator = runningSimulator();
const daySeconds = 24 * 60 * 60;

async function cancelled(issuer: TestIssuer): Promise<unknown> {
  const { status, json } = await issuer.ask('DELETE', '/openapi/v2/empresas/{empresa}/nf-e/a');
  return status === 200 ? 'cancelled' : json;
}

async function issued(): Promise<TestIssuer> {
  const issuer = await testIssuer(simulator);
  await issuer.issue('a');
  await issuer.advance(0);
  return issuer;
}

test('a cancellation is taken 24 hours after the authorisation, and refused a second later', async () => {
  const [inTime, late] = [await issued(), await issued()];
  await inTime.advance(daySeconds);
  expect(await cancelled(inTime)).toBe('cancelled');
  await late.advance(daySeconds + 1);
  expect(await cancelled(late)).toMatchObject([{ codigo: 'SIM-SEFAZ-501' }]);
});

test('a cancellation is refused while the authority is out of reach, and a second time', async () => {
  const issuer = await issued();
  const steer = (reachable: boolean): Promise<unknown> =>
    simulator.control('PUT', `/applications/${issuer.appKey}/authority`, { reachable });
  await steer(false);
  expect(await cancelled(issuer)).toMatchObject([{ codigo: 'SIM-SEFAZ-108' }]);
  await steer(true);
  expect(await cancelled(issuer)).toBe('cancelled');
  expect(await cancelled(issuer)).toMatchObject([{ codigo: 'SIM-SEFAZ-573' }]);
});

test.each([
  ['100', 'Autorizado o uso da NF-e'],
  ['101', 'Cancelamento de NF-e homologado'],
  ['110', 'Uso Denegado'],
  ['135', 'Evento registrado e vinculado a NF-e'],
  ['213', 'Rejeição: CNPJ-Base do Emitente difere do CNPJ-Base do Certificado Digital'],
  ['302', 'Rejeição: Irregularidade fiscal do destinatário'],
  ['573', 'Rejeição: Duplicidade de Evento'],
  ['580', 'Rejeição: O evento exige uma NF-e autorizada'],
  ['999', 'Rejeição: Erro não catalogado'],
  ['1024', 'Rejeição: Classificação Tributária do IBS e da CBS incompatível com o CST informado'],
  ['1115', 'Rejeição: IBS/CBS não informado'],
])('the text of %s is %j', (cStat, text) => {
  expect(returnText(cStat)).toBe(text);
});

test.each(['', '000', '1', '0100', '100 ', 'toString', '1000'])('%j has no text and denies nothing', (cStat) => {
  expect(returnText(cStat)).toBeUndefined();
  expect(isDenial(cStat)).toBe(false);
});

test('every text fits the layout: Latin-1, 255 characters, no outer space', () => {
  const all = Array.from({ length: 10_000 }, (_, at) => returnText(String(at))).filter((text) => text !== undefined);
  expect(all.length).toBeGreaterThan(300);
  for (const text of all) expect(text).toMatch(/^[!-ÿ][ -ÿ]{0,253}[!-ÿ]$/);
});

test('rejections and denials deny; success and a paused service do not', () => {
  expect(['110', '202', '302', '999', '1115'].filter(isDenial)).toEqual(['110', '202', '302', '999', '1115']);
  expect(['100', '101', '108', '135', '150', '155'].filter(isDenial)).toEqual([]);
});
