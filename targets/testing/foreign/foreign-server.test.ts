import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readProfile, type Profile } from '../../profile.ts';
import { writeForeignProfile } from './foreign-settings.ts';
import { startForeign, type ForeignServer } from './foreign-server.ts';
import { deliverySignature, requestSign } from './gateway.ts';

/** One for all tests: each works with a company and ids of its own. */
let server: ForeignServer;

beforeAll(async () => {
  server = await startForeign({ settleMs: 10, rate: { limit: 5, windowMs: 24 * 60 * 60_000 } });
});

afterAll(() => server.stop());

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: string | FormData;
  readonly token?: string;
  readonly ageSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request that is signed right, unless told otherwise. */
async function send({ method, path, body, token = server.secrets.active, ageSeconds = 0, headers }: Call) {
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
  const bodyText = typeof body === 'string' ? body : '';
  const sign = requestSign({ token, path, bodyText, timestamp });
  const response = await fetch(`${server.baseUrl}${path}`, {
    method,
    headers: { token, timestamp, sign, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const json: unknown = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined;
  return { status: response.status, text, json };
}

const echoCall = { method: 'POST', path: '/openapi/demo/echo', body: '{"message":"olá"}' };
const retiredCall = { method: 'POST', path: '/openapi/nfe/verify/xml', body: '<a/>' };

describe('signing', () => {
  test('a request is signed as md5sum says', () => {
    const signed = { token: 'a-secret', path: '/openapi/demo/echo', timestamp: '1790000000' };
    expect(requestSign({ ...signed, bodyText: '{"message":\r\n"olá"}\n' })).toBe('77b9ba1d8d57045b8677d34e0090aad5');
  });

  test('a delivery is signed as openssl says', () => {
    expect(deliverySignature('a-secret', '1790000000', Buffer.from('{"tipo":"NF-e"}'))).toBe(
      '1f374e89fc76168d0d26b3e93a22feb16c13f98a83ae4a50854cb3a5cb15d955',
    );
  });
});

describe('the gateway', () => {
  test('a correct echo gets 200 with its message, in a platform envelope', async () => {
    expect(await send(echoCall)).toMatchObject({ status: 200, json: { success: true, data: { echo: 'olá' } } });
  });

  test.each([
    ['without sign', { headers: { sign: '' } }, 10009000],
    ['an hour old', { ageSeconds: 3600 }, 10009001],
    ['with an unknown token', { token: 'nobody' }, 10009002],
    ['with another sign', { headers: { sign: '0'.repeat(32) } }, 10009003],
  ])('a request %s gets its 401, on a retired path too', async (_, flaw, code) => {
    for (const call of [echoCall, retiredCall]) {
      expect(await send({ ...call, ...flaw })).toMatchObject({
        status: 401,
        json: { success: false, errorType: 1, code },
      });
    }
  });

  test.each([
    ['unsubscribed', 10009005],
    ['disabled', 10009004],
    ['pending', 10009015],
    ['rejected', 10009015],
    ['integratorDisabled', 10009014],
  ] as const)('an application that is %s gets its 403, but 410 on a retired path', async (condition, code) => {
    const token = server.secrets[condition];
    expect(await send({ ...echoCall, token })).toMatchObject({ status: 403, json: { code } });
    expect(await send({ ...retiredCall, token })).toMatchObject({ status: 410, json: { code: 10009034 } });
  });

  test('the replacement of a retired lookup has the number as it was sent', async () => {
    const { json } = await send({ method: 'GET', path: '/openapi/cadastro/cnpj/a$&b', headers: { language: 'en' } });
    const message = 'This API has been retired, please use /openapi/v3/consultas/cnpj/a$&b instead';
    expect(json).toMatchObject({ code: 10009034, message });
  });

  test('an application whose limit is spent gets 429, but 410 on a retired path', async () => {
    const token = server.secrets.rateLimited;
    await vi.waitFor(async () => expect((await send({ ...echoCall, token })).status).toBe(429), {
      timeout: 10_000,
      interval: 0,
    });
    expect((await send({ ...retiredCall, token })).status).toBe(410);
  });

  test('the English 410 is the text that the contract fixes', async () => {
    const { json } = await send({ ...retiredCall, headers: { language: 'en' } });
    const message = 'This API has been retired, please use POST /openapi/v3/consultas/nf-e/xml instead';
    expect(json).toMatchObject({ message });
  });
});

/** A receiver that acknowledges everything, until its test is over. */
async function openReceiver() {
  const arrived: { headers: IncomingHttpHeaders; rawBody: Buffer }[] = [];
  const receiver = createServer(async (incoming, outgoing) => {
    arrived.push({ headers: incoming.headers, rawBody: await buffer(incoming) });
    outgoing.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`;
  return { url, arrived, close: () => receiver.close() };
}

/** A company with a certificate. */
async function newCompany(): Promise<string> {
  const { json } = await send({ method: 'POST', path: '/openapi/v2/empresas', body: '{}' });
  const empresaId = String(Object.entries(json ?? {}).find(([name]) => name === 'empresaId')?.[1]);
  const body = new FormData();
  body.set('whatever', new Blob(['0']), 'certificado.pfx');
  const path = `/openapi/v1/empresas/${empresaId}/certificadoDigital`;
  expect(await send({ method: 'POST', path, body })).toMatchObject({ status: 200, text: '' });
  return empresaId;
}

test('an invoice settles, is called back with a signature, and is counted', async () => {
  const receiver = await openReceiver();
  const registration = JSON.stringify({ uri: receiver.url, token: 'a-token' });
  await send({ method: 'POST', path: '/openapi/v1/webhooks', body: registration });
  const path = `/openapi/v2/empresas/${await newCompany()}/nf-e`;
  const before = server.sent.invoices;
  const invoice = { id: 'nota-1', ambienteEmissao: 'Homologacao', cabecalho: {}, produtos: [] };
  expect(await send({ method: 'POST', path, body: JSON.stringify(invoice) })).toMatchObject({ status: 200, text: '' });
  await vi.waitFor(() => expect(receiver.arrived).toHaveLength(1), { timeout: 10_000 });
  receiver.close();
  const [callback] = receiver.arrived;
  const timestamp = String(callback?.headers['x-service-timestamp']);
  const signature = deliverySignature(server.secrets.active, timestamp, callback?.rawBody ?? Buffer.alloc(0));
  expect(callback?.headers).toMatchObject({ token: 'a-token', 'x-service-signature': signature });
  expect(JSON.parse(String(callback?.rawBody))).toMatchObject({ nfeId: 'nota-1', nfeStatus: 'Autorizada' });
  expect((await send({ method: 'GET', path: `${path}/nota-1` })).json).toMatchObject({ status: 'Autorizada' });
  expect(server.sent.invoices).toBe(before + 1);
});

describe('its profile', () => {
  let folder: string;
  let profile: Profile;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'foreign-profile-'));
    writeForeignProfile(folder);
    profile = readProfile(folder);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  test('has every file', () => {
    expect(profile.missing()).toEqual([]);
  });

  test.each([
    ['nf-e.autorizada.json', 200, 'Autorizada'],
    ['nf-e.negada.json', 200, 'Negada'],
    ['nf-e.invalida.json', 400, undefined],
  ] as const)('has %s, which is answered with %i and ends as %s', async (file, status, outcome) => {
    const path = `/openapi/v2/empresas/${await newCompany()}/nf-e`;
    const body = JSON.stringify({ ...profile.json(file), id: 'nota', ambienteEmissao: 'Homologacao' });
    expect((await send({ method: 'POST', path, body })).status).toBe(status);
    if (outcome === undefined) return;
    const settled = async (): Promise<void> =>
      expect((await send({ method: 'GET', path: `${path}/nota` })).json).toMatchObject({ status: outcome });
    await vi.waitFor(settled, { timeout: 10_000 });
  });

  test.each([
    ['verificacao.autorizada.xml', 'VALIDATED'],
    ['verificacao.rejeitada.xml', 'REJECTED'],
  ] as const)('has %s, which is %s', async (file, validationStatus) => {
    const body = profile.bytes(file)?.toString('utf8') ?? '';
    const { json } = await send({ method: 'POST', path: '/openapi/v3/consultas/nf-e/xml', body });
    expect(json).toMatchObject({ validation: { validationStatus } });
  });

  test('has numbers that are known, and numbers that are not', async () => {
    const { consultas } = profile;
    for (const [numbers, status] of [[consultas, 200] as const, [consultas?.unknown, 404] as const]) {
      const { cnpj, cpf, nascimento } = numbers ?? {};
      const paths = [`/openapi/v3/consultas/cnpj/${cnpj}`, `/openapi/v3/consultas/cpf/${cpf}/${nascimento}`];
      for (const path of paths) expect((await send({ method: 'GET', path })).status).toBe(status);
    }
  });
});
