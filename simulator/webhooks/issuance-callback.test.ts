import { describe, expect, test } from 'vitest';
import { nfeResultFields } from '../../schemas/invoice.ts';
import { parseJsonObject } from '../http/json.ts';
import { testClockStart, testIssuer, type TestIssuer } from '../testing/company.ts';
import { textLike } from '../testing/matchers.ts';
import { runningReceiver, type Address, type Arrival } from '../testing/receiver.ts';
import { runningSimulator } from '../testing/running.ts';

const simulator = runningSimulator();
const receiver = runningReceiver();

interface CalledBack {
  readonly issuer: TestIssuer;
  readonly address: Address;
}

/** An issuer whose callbacks go to an address. */
async function calledBack(wish: object = {}): Promise<CalledBack> {
  const issuer = await testIssuer(simulator, wish);
  const address = receiver.address();
  await register(issuer, address);
  return { issuer, address };
}

async function register(issuer: TestIssuer, { url }: Address): Promise<void> {
  const answer = await issuer.ask('POST', '/openapi/v1/webhooks', { uri: url, token: 'registered-token' });
  expect(answer.status).toBe(200);
}

function bodyOf(arrival: Arrival | undefined): Record<string, unknown> {
  return parseJsonObject(arrival?.rawBody ?? Buffer.alloc(0)) ?? {};
}

describe('the callback of an authorised issuance', () => {
  test('has all fourteen fields, a text in each', async () => {
    const { issuer, address } = await calledBack();
    await issuer.issue('pedido-1');
    await issuer.advance(0);
    const body = bodyOf(address.arrivals[0]);
    expect(Object.keys(body)).toEqual(nfeResultFields);
    expect(body).toEqual({
      tipo: 'NF-e',
      empresaId: issuer.empresaId,
      nfeId: 'pedido-1',
      nfeStatus: 'Autorizada',
      nfeMotivoStatus: '',
      nfeLinkDanfe: '',
      nfeLinkXml: textLike(new RegExp(`^${simulator.baseUrl}/documentos/xml\\.[\\w.-]+\\.xml$`)),
      nfeNumero: textLike(/^\d+$/),
      nfeSerie: textLike(/^\d+$/),
      nfeChaveAcesso: textLike(/^\d{44}$/),
      nfeDataEmissao: testClockStart,
      nfeDataAutorizacao: testClockStart,
      nfeNumeroProtocolo: textLike(/^\d{15}$/),
      nfeDigestValue: '',
    });
  });

  test('links to the XML for ten minutes', async () => {
    const { issuer, address } = await calledBack();
    await issuer.issue('pedido-1');
    await issuer.advance(0);
    const link = String(bodyOf(address.arrivals[0])['nfeLinkXml']);
    const statuses: number[] = [];
    for (const seconds of [0, 599, 2]) {
      await issuer.advance(seconds);
      statuses.push((await fetch(link)).status);
    }
    expect(statuses).toEqual([200, 200, 404]);
  });

  test('is sent with the token that was registered, and a name for its event', async () => {
    const { issuer, address } = await calledBack();
    await issuer.issue('pedido-1');
    await issuer.advance(0);
    expect(address.arrivals[0]?.headers).toMatchObject({
      token: 'registered-token',
      'x-service-event': 'invoice.issue.completed',
    });
  });
});

test('the callback of a denied issuance says why; what was never given is empty', async () => {
  const { issuer, address } = await calledBack();
  const motivo = '539 - Duplicidade de NF-e com diferença na chave de acesso';
  const issuance = { outcome: 'Negada', motivo };
  await simulator.control('PUT', `/applications/${issuer.appKey}/authority`, { issuance });
  await issuer.issue('pedido-1');
  await issuer.advance(0);
  const body = bodyOf(address.arrivals[0]);
  expect(Object.keys(body)).toEqual(nfeResultFields);
  expect(body).toMatchObject({
    nfeId: 'pedido-1',
    nfeStatus: 'Negada',
    nfeMotivoStatus: motivo,
    nfeLinkDanfe: '',
    nfeLinkXml: '',
    nfeDataEmissao: testClockStart,
    nfeDataAutorizacao: '',
    nfeNumeroProtocolo: '',
    nfeDigestValue: '',
  });
});

describe('callbacks', () => {
  test('come when the issuance settles, not before', async () => {
    const { issuer, address } = await calledBack({ settleSeconds: 30 });
    await issuer.issue('pedido-1');
    await issuer.advance(29);
    expect(address.arrivals).toHaveLength(0);
    await issuer.advance(1);
    expect(bodyOf(address.arrivals[0])).toMatchObject({
      nfeDataEmissao: testClockStart,
      nfeDataAutorizacao: '2031-05-17T09:30:30.000Z',
    });
  });

  test('come by themselves where an issuance settles at once', async () => {
    const { issuer, address } = await calledBack();
    await issuer.issue('pedido-1');
    await address.arrived(1);
    expect(bodyOf(address.arrivals[0])['nfeId']).toBe('pedido-1');
  });

  test('go to every address that was registered, once, under one event id', async () => {
    const { issuer, address } = await calledBack();
    const second = receiver.address();
    await register(issuer, second);
    await register(issuer, second);
    await issuer.issue('pedido-1');
    await issuer.advance(0);
    const eventIds = [...address.arrivals, ...second.arrivals].map(({ eventId }) => eventId);
    expect(eventIds).toEqual([eventIds[0], eventIds[0]]);
  });

  test('are not made by a cancellation', async () => {
    const { issuer, address } = await calledBack();
    await issuer.issue('pedido-1');
    await issuer.advance(0);
    const cancelled = await issuer.ask('DELETE', '/openapi/v2/empresas/{empresa}/nf-e/pedido-1');
    expect(cancelled.status).toBe(200);
    await issuer.advance(60);
    expect(address.arrivals).toHaveLength(1);
  });

  test('are not kept for an application without an address', async () => {
    const issuer = await testIssuer(simulator);
    await issuer.issue('pedido-1');
    await issuer.advance(0);
    const address = receiver.address();
    await register(issuer, address);
    await issuer.advance(60);
    expect(await simulator.control('GET', `/applications/${issuer.appKey}/deliveries`)).toMatchObject({ json: [] });
    expect(address.arrivals).toEqual([]);
  });
});
