import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { answerFaults, deliveryFaults } from '../schemas/faults-on-demand.ts';
import { member } from '../schemas/values.ts';
import { echoCall, send, type TestAnswer, anyText, runningSimulator } from './testing/call.ts';
import { testIssuer, type TestIssuer } from './testing/company.ts';
import { type Address, runningReceiver } from './testing/receiver.ts';

const simulator = runningSimulator();
const receiver = runningReceiver();

function arm({ appKey }: { readonly appKey: string }, faults: object): Promise<TestAnswer> {
  return simulator.control('PUT', `/applications/${appKey}/faults`, faults);
}

async function faultsArmedAt(): Promise<unknown> {
  return member((await simulator.control('GET', '/')).json, 'faultsArmedAt');
}

/** How a connection ended without an answer: `socket hang up` where it was closed, `read ECONNRESET` where it was reset. */
async function failure(answer: Promise<TestAnswer>): Promise<string> {
  return answer.then(
    ({ status }) => `answered ${status}`,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** A company whose callbacks come to an address. */
async function calledBack(script?: Address['script']): Promise<{ issuer: TestIssuer; address: Address }> {
  const issuer = await testIssuer(simulator);
  const address = receiver.address(script);
  await issuer.ask('POST', '/openapi/v1/webhooks', { uri: address.url, token: 't' });
  return { issuer, address };
}

async function deliveriesOf({ appKey }: TestIssuer): Promise<unknown> {
  return (await simulator.control('GET', `/applications/${appKey}/deliveries`)).json;
}

describe('an issuance', () => {
  test.each([
    ['lost', 'socket hang up', 'Autorizada'],
    ['reset-after', 'read ECONNRESET', 'Autorizada'],
    ['reset-before', 'read ECONNRESET', undefined],
  ])('under the fault %s ends with "%s", and leaves an invoice that is %s', async (kind, ending, status) => {
    const issuer = await testIssuer(simulator);
    await arm(issuer, { answers: [{ kind, endpoint: 'nfe-issuance' }] });
    expect(await failure(issuer.issue('a'))).toBe(ending);
    expect(member((await issuer.query('a')).json, 'status')).toBe(status);
    expect((await issuer.issue('a')).status).toBe(status === undefined ? 200 : 400);
  });

  test('that is slow is done at once, and answered after its delay', async () => {
    const issuer = await testIssuer(simulator);
    await arm(issuer, { answers: [{ kind: 'slow', delaySeconds: 0.2 }] });
    const startedMs = performance.now();
    expect((await issuer.issue('a')).status).toBe(200);
    expect(performance.now() - startedMs).toBeGreaterThan(195);
  });

  test('whose caller has left before its slow answer settles all the same', async () => {
    const issuer = await testIssuer(simulator);
    await arm(issuer, { answers: [{ kind: 'slow', delaySeconds: 0.4 }] });
    const patience = new AbortController();
    const answer = failure(issuer.issue('a', {}, patience.signal));
    await expect.poll(async () => member((await issuer.query('a')).json, 'status')).toBe('AguardandoAutorizacao');
    patience.abort();
    expect(await answer).toMatch(/abort/);
    await expect.poll(async () => member((await issuer.query('a')).json, 'status')).toBe('Autorizada');
  });

  test('under a system error gets 500 with code and message in the language asked for, and nothing is done', async () => {
    const issuer = await testIssuer(simulator);
    await arm(issuer, { answers: [{ kind: 'system-error' }] });
    expect(await issuer.issue('a')).toMatchObject({
      status: 500,
      json: { code: 'SIM-SYSTEM', message: 'Erro de sistema' },
    });
    expect((await issuer.query('a')).status).toBe(404);
  });

  test('gets 429 for as long as a rate limit is armed, on the clock of its application', async () => {
    const issuer = await testIssuer(simulator);
    await arm(issuer, { answers: [{ kind: 'rate-limit', seconds: 60 }] });
    const refused = { status: 429, json: { success: false, code: 10_009_006 } };
    expect([await issuer.issue('a'), await issuer.query('a')]).toMatchObject([refused, refused]);
    await issuer.advance(59);
    expect((await issuer.issue('a')).status).toBe(429);
    await issuer.advance(1);
    expect((await issuer.issue('a')).status).toBe(200);
  });
});

describe('a callback', () => {
  test('that comes twice has one event id, and uses up no retry', async () => {
    const { issuer, address } = await calledBack(() => 500);
    await arm(issuer, { deliveries: [{ kind: 'twice' }] });
    await issuer.issue('a');
    await address.arrived(2);
    const [first, second] = address.arrivals;
    expect(second?.eventId).toBe(first?.eventId);
    expect(second?.deliveryId).not.toBe(first?.deliveryId);
    expect(second?.bodyText).toBe(first?.bodyText);
    await issuer.advance(60);
    expect(address.arrivals.length).toBe(3);
  });

  test('comes the second time after a delay, though it was acknowledged', async () => {
    const { issuer, address } = await calledBack();
    await arm(issuer, { deliveries: [{ kind: 'twice', delaySeconds: 30 }] });
    await issuer.issue('a');
    await issuer.advance(29);
    expect(address.arrivals.length).toBe(1);
    await issuer.advance(86_400);
    expect(address.arrivals.length).toBe(2);
  });

  test('that is late comes after its delay on the clock of its application', async () => {
    const { issuer, address } = await calledBack();
    await arm(issuer, { deliveries: [{ kind: 'late', channel: 'issuance', delaySeconds: 600 }] });
    await issuer.issue('a');
    await issuer.advance(599);
    expect(address.arrivals).toEqual([]);
    await issuer.advance(1);
    expect(address.arrivals.map(({ bodyText }) => member(JSON.parse(bodyText), 'nfeId'))).toEqual(['a']);
  });

  test('that never comes is dead without an attempt, and can be re-pushed', async () => {
    const { issuer, address } = await calledBack();
    await arm(issuer, { deliveries: [{ kind: 'never' }] });
    await issuer.issue('a');
    await issuer.advance(86_400);
    const [delivery] = [await deliveriesOf(issuer)].flat();
    expect(delivery).toMatchObject({ state: 'dead', attempts: [] });
    expect(address.arrivals).toEqual([]);
    const eventId = String(member(delivery, 'eventId'));
    await simulator.control('POST', `/applications/${issuer.appKey}/deliveries/${eventId}/redeliver`);
    await address.arrived(1);
  });

  test('of another channel is not struck', async () => {
    const { issuer, address } = await calledBack();
    await arm(issuer, { deliveries: [{ kind: 'never', channel: 'verification' }] });
    await issuer.issue('a');
    await address.arrived(1);
    expect(address.arrivals.length).toBe(1);
  });
});

describe('a fault', () => {
  test('strikes as often as was said, where its endpoint and its text are', async () => {
    const issuer = await testIssuer(simulator);
    await arm(issuer, {
      answers: [{ kind: 'system-error', endpoint: 'nfe-issuance', contains: 'pedido-17', times: 2 }],
    });
    const statuses = [];
    for (const id of ['other', 'pedido-17', 'pedido-17', 'pedido-17']) statuses.push((await issuer.issue(id)).status);
    expect(statuses).toEqual([200, 500, 500, 200]);
    expect((await issuer.query('pedido-17')).status).toBe(200);
  });

  test('strikes nothing that the gateway refuses', async () => {
    const { appKey, appSecret } = await simulator.application();
    await arm({ appKey }, { answers: [{ kind: 'system-error' }] });
    expect((await send(simulator.baseUrl, echoCall(appSecret, { signedBody: 'another' }))).status).toBe(401);
    expect((await send(simulator.baseUrl, echoCall(appSecret))).status).toBe(500);
  });

  test('is asked for by words in the body, once for each request, and of a callback by words in the id', async () => {
    const { issuer, address } = await calledBack();
    const changes = { informacoesAdicionais: 'Pedido 17 SIMULAR-FALHA-system-error.' };
    expect((await issuer.issue('a', changes)).status).toBe(500);
    expect((await issuer.issue('a', changes)).status).toBe(200);
    expect((await issuer.issue('b', changes)).status).toBe(500);
    await issuer.issue('SIMULAR-FALHA-twice-1');
    await address.arrived(3);
    const ids = address.arrivals.map(({ bodyText }) => member(JSON.parse(bodyText), 'nfeId'));
    expect(ids.map(String).toSorted()).toEqual(['SIMULAR-FALHA-twice-1', 'SIMULAR-FALHA-twice-1', 'a']);
    expect((await issuer.issue('SIMULAR-FALHA-unknown')).status).toBe(200);
  });
});

describe('the control API', () => {
  test('a new application has no fault armed, and its answers say nothing of any', async () => {
    const { appKey, appSecret } = await simulator.application();
    const { json } = await simulator.control('GET', `/applications/${appKey}/faults`);
    expect(json).toEqual({ answers: [], deliveries: [] });
    expect(await faultsArmedAt()).not.toContain(appKey);
    expect((await send(simulator.baseUrl, echoCall(appSecret))).headers).not.toHaveProperty('x-simulator-faults');
  });

  test('tells what is armed and how much of it is left, and each answer tells it, too', async () => {
    const { appKey, appSecret } = await simulator.application({ clock: '2031-01-01T00:00:00.000Z' });
    const answers = [
      { kind: 'slow', endpoint: 'nfe-query', times: 3, delaySeconds: 1 },
      { kind: 'lost', endpoint: 'nfe-issuance', seconds: 60 },
    ];
    const armed = {
      answers: [
        { ...answers[0], until: null },
        { kind: 'lost', endpoint: 'nfe-issuance', times: null, until: '2031-01-01T00:01:00.000Z' },
      ],
      deliveries: [{ kind: 'never', times: 1, until: null }],
    };
    expect(await arm({ appKey }, { answers, deliveries: [{ kind: 'never' }] })).toMatchObject({ json: armed });
    const timestamp = String(Date.parse('2031-01-01T00:00:00.000Z') / 1000);
    const { headers } = await send(simulator.baseUrl, echoCall(appSecret, { timestamp }));
    expect(headers['x-simulator-faults']).toBe('3: slow, lost, never');
    expect(await faultsArmedAt()).toContain(appKey);
  });

  test('what is armed takes the place of what was, and an empty body disarms all', async () => {
    const issuer = await testIssuer(simulator);
    await arm(issuer, { answers: [{ kind: 'lost' }] });
    await arm(issuer, { answers: [{ kind: 'system-error' }] });
    expect((await issuer.issue('a')).status).toBe(500);
    await arm(issuer, { answers: [{ kind: 'system-error', seconds: 60 }] });
    await arm(issuer, {});
    expect((await issuer.issue('a')).status).toBe(200);
    expect(await faultsArmedAt()).not.toContain(issuer.appKey);
  });

  test.each([
    [{ answers: [{ kind: 'never' }] }, 'answers'],
    [{ deliveries: [{ kind: 'late', endpoint: 'echo' }] }, 'deliveries'],
    [{ answers: [{ kind: 'slow', times: 0 }] }, 'answers'],
    [{ faults: [] }, 'faults'],
  ])('%j is refused with 400, and the field is named', async (wish, field) => {
    const { appKey } = await simulator.application();
    const { status, json } = await arm({ appKey }, wish);
    expect({ status, json }).toEqual({ status: 400, json: { error: anyText } });
    expect(member(json, 'error')).toContain(`The field ${field} is `);
    expect((await arm({ appKey: 'nobody' }, {})).status).toBe(404);
  });
});

test('no conformance run asks for a fault, neither by the control API nor by words', () => {
  const files = globSync('{client,generators,judge,profiles,specs,targets}/**/*.{ts,json,xml}');
  const asking = files.filter((file) => /SIMULAR-FALHA|\/faults[`'"]/.test(readFileSync(file, 'utf8')));
  expect(files.length).toBeGreaterThan(100);
  expect(asking).toEqual([]);
});

/** Issues an invoice so that it is there once in the end, whatever becomes of answers: as the documents advise. */
async function issuedSurely(issuer: TestIssuer, id: string): Promise<void> {
  for (let waitSeconds = 1; waitSeconds <= 32; waitSeconds *= 2) {
    const answer = await issuer.issue(id, {}, AbortSignal.timeout(100)).catch(() => undefined);
    if (answer?.status === 200) return;
    const found = await issuer.query(id).catch(() => undefined);
    if (found?.status === 200) return;
    await issuer.advance(waitSeconds);
  }
  throw new Error(`the invoice ${id} could not be issued`);
}

test('an integrator who does as the documents advise has each invoice once, and each outcome once, under every fault', async () => {
  const { issuer, address } = await calledBack();
  const known = new Map<string, unknown>();
  for (const kind of Object.keys(answerFaults)) {
    const fault = { kind, delaySeconds: kind === 'slow' ? 0.3 : 0 };
    const answers = ['nfe-issuance', 'nfe-query'].map((endpoint) => ({ ...fault, endpoint, times: 2 }));
    await arm(issuer, { answers });
    await issuedSurely(issuer, kind);
  }
  for (const kind of Object.keys(deliveryFaults)) {
    await arm(issuer, { deliveries: [{ kind, contains: kind }] });
    await issuer.issue(kind);
  }
  await arm(issuer, {});
  const ids = [...Object.keys(answerFaults), ...Object.keys(deliveryFaults)];
  await issuer.advance(60);
  for (const { eventId, bodyText } of address.arrivals) known.set(eventId, member(JSON.parse(bodyText), 'nfeId'));
  expect([...known.values()].map(String).toSorted()).toEqual(ids.filter((id) => id !== 'never').toSorted());
  expect(address.arrivals.length).toBe(ids.length);
  const invoices = await Promise.all(ids.map(async (id) => (await issuer.query(id)).json));
  expect(new Set(invoices.map((invoice) => member(invoice, 'status')))).toEqual(new Set(['Autorizada']));
  const numbers = invoices.map((invoice) => Number(member(invoice, 'numero')));
  expect(numbers.toSorted((one, other) => one - other)).toEqual(ids.map((_, at) => at + 1));
});
