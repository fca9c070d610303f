import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test, describe } from 'vitest';
import { decodedBody } from './reception.ts';
import { sideEffects, endpoints } from '../../contract/endpoints.ts';
import { ledgerMemory, openLedger } from './ledger.ts';
import fc from 'fast-check';
import { productionRisk, mayLeaveNew, twinOf } from './interlock.ts';
import { probeCall } from '../../generators/calls.ts';
import { foreignAddress } from '../testing/server.ts';

const text = Buffer.from('{"message":"ação"}');
const most = 1_000;

test.each([
  ['gzip', gzipSync(text)],
  ['X-Gzip', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
  ['zstd', zstdCompressSync(text)],
  ['gzip, br', brotliCompressSync(gzipSync(text))],
  ['identity', text],
  ['', text],
])('a body in %j is what was put into it', async (coding, bytes) => {
  expect(await decodedBody(bytes, coding, most)).toEqual({ rawBody: text, isCut: false });
});

test.each([
  ['gzip', text, 'no gzip, though it is said to be'],
  ['gzip', gzipSync(text).subarray(0, 20), 'no gzip, though it is said to be'],
  ['x-klingon', text, 'unknown content coding x-klingon'],
  ['gzip, gzip, gzip, gzip, gzip', text, '5 content codings'],
])('a body that is not what %j says stays as it came, and says why', async (coding, bytes, undecoded) => {
  expect(await decodedBody(bytes, coding, most)).toEqual({ rawBody: bytes, isCut: false, undecoded });
});

test.each([
  ['gzip', gzipSync(Buffer.alloc(50_000_000))],
  ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(50_000_000)))],
  ['br', brotliCompressSync(Buffer.alloc(1_000_000))],
])('a bomb in %s is cut at the budget', async (coding, bytes) => {
  const { rawBody, isCut } = await decodedBody(bytes, coding, most);
  expect([rawBody.length <= most, isCut]).toEqual([true, true]);
});

test('the start of a packed body that was cut is unpacked as far as it goes', async () => {
  const packed = gzipSync(Buffer.from(Array.from({ length: 5_000 }, (_, at) => String(at)).join(' ')));
  const { rawBody, isCut, undecoded } = await decodedBody(packed.subarray(0, 2_000), 'gzip', 100_000, false);
  expect([rawBody.toString().startsWith('0 1 2 3 4'), isCut, undecoded]).toEqual([true, true, undefined]);
});

test('no body at all is in every coding', async () => {
  expect(await decodedBody(Buffer.alloc(0), 'gzip', most)).toEqual({ rawBody: Buffer.alloc(0), isCut: false });
});

test('requests of all who share the memory are counted together', async () => {
  const memory = ledgerMemory();
  const [one, other] = [openLedger(memory, { maxRps: 0, budget: 0 }), openLedger(memory, { maxRps: 0, budget: 0 })];
  await one.take();
  await other.take();
  expect([one.sent(), other.sent()]).toEqual([2, 2]);
});

test('a spent budget lets nothing more out', async () => {
  const ledger = openLedger(ledgerMemory(), { maxRps: 0, budget: 2 });
  expect([await ledger.take(), await ledger.take(), await ledger.take()]).toEqual([true, true, false]);
  expect(ledger.sent()).toBe(2);
});

test('a ceiling of 100 a second spaces the requests of all who share the memory by 10 ms', async () => {
  const memory = ledgerMemory();
  const limits = { maxRps: 100, budget: 0 };
  const [one, other] = [openLedger(memory, limits), openLedger(memory, limits)];
  const started = performance.now();
  await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? one : other).take()));
  expect(performance.now() - started).toBeGreaterThanOrEqual(80);
});

test('one available answer ends a row of unavailable checks', () => {
  const ledger = openLedger(ledgerMemory(), { maxRps: 0, budget: 0 });
  ledger.noteAvailable(false);
  ledger.noteAvailable(false);
  expect(ledger.unavailableInARow()).toBe(2);
  ledger.noteAvailable(true);
  expect(ledger.unavailableInARow()).toBe(0);
});

test('each kind of request is diagnosed once by all who share the memory', () => {
  const memory = ledgerMemory();
  const [one, other] = [openLedger(memory, { maxRps: 0, budget: 0 }), openLedger(memory, { maxRps: 0, budget: 0 })];
  expect([one.takeDiagnosis('json'), other.takeDiagnosis('json'), other.takeDiagnosis('xml')]).toEqual([
    true,
    false,
    true,
  ]);
});

test('a limit of the target spaces the requests of a run that has no ceiling', async () => {
  const ledger = openLedger(ledgerMemory(), { maxRps: 0, budget: 0 });
  const { pace } = ledger.guard;
  await ledger.take();
  expect(pace.spacingMicros(ledger.sent())).toBe(0);
  for (let sent = 0; sent < 9; sent++) await ledger.take();
  pace.noteLimited(true, ledger.sent());
  await new Promise((resolve) => setTimeout(resolve, 600));
  pace.noteServedAgain(ledger.sent());
  // Nine were served in 0.6 s or more.
  expect(pace.spacingMicros(ledger.sent())).toBeGreaterThanOrEqual(600_000 / 9);
  const started = performance.now();
  for (let sent = 0; sent < 3; sent++) await ledger.take();
  expect(performance.now() - started).toBeGreaterThanOrEqual(120);
});

test('what is left behind is counted by its kind, by all who share the memory', () => {
  const memory = ledgerMemory();
  const [one, other] = [openLedger(memory, { maxRps: 0, budget: 0 }), openLedger(memory, { maxRps: 0, budget: 0 })];
  one.countLeft('invoices');
  other.countLeft('invoices');
  other.countLeft('cancellations');
  expect(sideEffects.map((what) => one.left(what))).toEqual([0, 0, 0, 2, 1]);
});

describe('interlock', () => {
  const target = '/openapi/v2/empresas/e1/nf-e';

  function riskOf(body: string | undefined, method = 'POST', path = target): string {
    const request = { method, target: path, ...(body === undefined ? {} : { rawBody: Buffer.from(body) }) };
    return productionRisk(request).kind;
  }

  describe('an issuance', () => {
    test.each([
      '{"ambienteEmissao":"Homologacao"}',
      '{ "id" : "1", "ambienteEmissao" : "Homologacao" }',
      String.raw`{"ambiente\u0045missao":"Homologa\u0063ao"}`,
      '{"pedido":{"ambienteEmissao":"Producao"},"ambienteEmissao":"Homologacao"}',
    ])('with exactly one Homologacao may leave: %s', (body) => {
      expect(riskOf(body)).toBe('none');
    });

    test.each([
      '{"ambienteEmissao":"Producao"}',
      String.raw`{"ambienteEmissao":"Produ\u0063ao"}`,
      String.raw`{"ambiente\u0045missao":"Producao"}`,
      '{"ambienteEmissao":"Homologacao","ambienteEmissao":"Producao"}',
      '{"ambienteEmissao":"Producao","ambienteEmissao":"Homologacao"}',
      String.raw`{"ambienteEmissao":"Homologacao","\u0061mbienteEmissao":"Producao"}`,
      '{"ambienteEmissao":"Homologacao","AmbienteEmissao":"Producao"}',
      '{"ambienteEmissao":"homologacao"}',
      '{"ambienteEmissao":["Homologacao"]}',
      '{"ambienteEmissao":{"a":"Homologacao"}}',
      '{"ambienteEmissao":null}',
      '{"pedido":{"ambienteEmissao":"Homologacao"}}',
      '[{"ambienteEmissao":"Homologacao"}]',
      '{"ambienteEmissao":"Homologacao"}{"ambienteEmissao":"Producao"}',
      '{"ambienteEmissao":"Homologacao",}',
      '{/* "ambienteEmissao":"Producao" */"ambienteEmissao":"Homologacao"}',
      '{}',
    ])('in which anything is doubtful may not leave: %s', (body) => {
      expect(riskOf(body)).toBe('possible');
    });

    test.each([undefined, '', ' ', '{', '{"id":', '[]', '17', '{"ambienteEmissao":"Homologacao"', 'null'])(
      'that is a scrap in which nobody can read an invoice may leave: %s',
      (body) => {
        expect(riskOf(body)).toBe('none');
      },
    );

    test.each([`{"ambienteEmissao":"Producao"`, String.raw`{"ambienteEmissao":"\u0050roducao"`, ` ${'['.repeat(64)}`])(
      'that is a scrap which may hold one may not: %s',
      (body) => {
        expect(riskOf(body)).toBe('possible');
      },
    );

    test.each([
      `${target}/`,
      `${target}?a=1`,
      '/openapi/v2/empresas/e1/nf%2De',
      '/openapi/v2/EMPRESAS/e1/NF-e',
      '/openapi/nfe/invoice/create',
    ])('is recognised on %s', (path) => {
      expect(riskOf('{"ambienteEmissao":"Producao"}', 'POST', path)).toBe('possible');
    });

    test('never leaves with another value, however its JSON is written', () => {
      const other = fc.string().filter((value) => value !== 'Homologacao');
      fc.assert(
        fc.property(other, fc.dictionary(fc.string(), fc.jsonValue()), (ambienteEmissao, rest) => {
          expect(riskOf(JSON.stringify({ ...rest, ambienteEmissao }))).toBe('possible');
        }),
      );
    });
  });

  test.each([
    ['GET', `${target}/n1`],
    ['DELETE', `${target}/n1`],
    ['POST', '/openapi/demo/echo'],
    ['POST', '/openapi/v2/empresas'],
  ])('%s %s issues nothing', (method, path) => {
    expect(riskOf('{"ambienteEmissao":"Producao"}', method, path)).toBe('none');
  });
});

describe('harmless', () => {
  const known = foreignAddress('http://127.0.0.1:9');
  const controlled = foreignAddress('http://127.0.0.1:9', { control: { url: 'http://127.0.0.1:9', token: 't' } });
  const makers = new Set(['empresa-registration', 'webhook-registration', 'nfe-issuance']);

  describe.each(endpoints)('an untouched probe of $name', ({ name }) => {
    const call = probeCall(name, 'application/xml');
    const isMaker = makers.has(name);

    test(`${isMaker ? 'might leave' : 'leaves nothing'} at a target without control API`, () => {
      expect(mayLeaveNew(known, call)).toBe(isMaker);
      expect(twinOf(known, call).path).toBe(isMaker ? '/openapi/demo/echo' : call.path);
    });

    test('is sent as it is where the checks have applications of their own', () => {
      expect(mayLeaveNew(controlled, call)).toBe(false);
      expect(twinOf(controlled, call)).toBe(call);
    });
  });
});
