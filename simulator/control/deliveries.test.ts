import { describe, expect, test } from 'vitest';
import { type TestAnswer, anyText, runningSimulator, textLike } from '../testing/call.ts';
import { testIssuer, type TestIssuer } from '../testing/company.ts';
import { type Address, runningReceiver, type Script, webhookServices } from '../testing/receiver.ts';
import { referenceRules } from '../rules/rules.ts';
import { webhookDeliveryRules } from '../rules/webhook-delivery.ts';
import { setVerificationWebhook } from './api.ts';

const simulator = runningSimulator();
const receiver = runningReceiver();
const aDay = 24 * 3600;

interface Denied {
  readonly issuer: TestIssuer;
  readonly addresses: readonly Address[];
  readonly list: () => Promise<TestAnswer>;
  readonly redeliver: () => Promise<TestAnswer>;
  readonly states: () => Promise<unknown[]>;
}

/** One denied issuance, called back to addresses that answer by those scripts. */
async function denied(...scripts: Script[]): Promise<Denied> {
  const issuer = await testIssuer(simulator);
  const { appKey } = issuer;
  await simulator.control('PUT', `/applications/${appKey}/authority`, { issuance: { outcome: 'Negada' } });
  const addresses = scripts.map((script) => receiver.address(script));
  for (const { url } of addresses) await issuer.ask('POST', '/openapi/v1/webhooks', { uri: url, token: 'a' });
  await issuer.issue('pedido-1');
  await issuer.advance(0);
  const list = (): Promise<TestAnswer> => simulator.control('GET', `/applications/${appKey}/deliveries`);
  const redeliver = (): Promise<TestAnswer> => {
    const { eventId } = addresses[0]?.arrivals[0] ?? { eventId: 'none' };
    return simulator.control('POST', `/applications/${appKey}/deliveries/${eventId}/redeliver`);
  };
  const states = async (): Promise<unknown[]> => {
    const { json } = await list();
    return Array.isArray(json) ? json.map((one: { state: unknown }) => one.state) : [];
  };
  return { issuer, addresses, list, redeliver, states };
}

describe('the list of deliveries', () => {
  test('has an entry for each event and address, oldest first', async () => {
    const { issuer, addresses, list } = await denied(
      () => 500,
      () => 204,
    );
    await issuer.advance(1);
    await issuer.issue('pedido-2');
    await issuer.advance(0);
    const { status, json } = await list();
    const [failing, quick] = addresses;
    const first = failing?.arrivals[0];
    expect(status).toBe(200);
    expect(json).toMatchObject([
      { url: failing?.url },
      { url: quick?.url },
      { url: failing?.url },
      { url: quick?.url },
    ]);
    expect(Array.isArray(json) && json.slice(0, 2)).toEqual([
      {
        eventId: first?.eventId,
        channel: 'issuance',
        eventType: 'invoice.issue.completed',
        url: failing?.url,
        state: 'pending',
        nextAttemptAt: '2031-05-17T09:31:00.000Z',
        attempts: [{ deliveryId: first?.deliveryId, at: '2031-05-17T09:30:00.000Z', status: 500 }],
      },
      {
        eventId: first?.eventId,
        channel: 'issuance',
        eventType: 'invoice.issue.completed',
        url: quick?.url,
        state: 'delivered',
        nextAttemptAt: null,
        attempts: [{ deliveryId: anyText, at: '2031-05-17T09:30:00.000Z', status: 204 }],
      },
    ]);
  });

  test('says why an attempt got no status', async () => {
    const { list } = await denied(() => 'reset');
    expect(await list()).toMatchObject({ json: [{ attempts: [{ status: null, error: textLike(/./) }] }] });
  });
});

describe('a re-push', () => {
  test('uses up no retry of a delivery that waits', async () => {
    const { issuer, addresses, redeliver, states } = await denied(() => 500);
    await redeliver();
    await issuer.advance(aDay);
    expect(await states()).toEqual(['dead']);
    const [{ arrivals } = { arrivals: [] }] = addresses;
    const [first] = arrivals;
    expect(arrivals.map(({ timestamp }) => timestamp - (first?.timestamp ?? 0))).toEqual([
      0, 0, 60, 360, 2160, 9360, 30960,
    ]);
  });

  test('goes to the addresses that have not acknowledged the event', async () => {
    const { issuer, addresses, redeliver } = await denied(
      () => 500,
      () => 200,
    );
    await redeliver();
    await issuer.advance(0);
    expect(addresses.map(({ arrivals }) => arrivals.length)).toEqual([2, 1]);
  });

  test('goes to all of them when all have', async () => {
    const { issuer, addresses, redeliver, states } = await denied(
      () => 200,
      (_, index) => (index === 0 ? 200 : 500),
    );
    await redeliver();
    await issuer.advance(0);
    expect(addresses.map(({ arrivals }) => arrivals.length)).toEqual([2, 2]);
    expect(await states()).toEqual(['delivered', 'delivered']);
  });

  test('of a held delivery gets past the breaker without counting for it', async () => {
    const { issuer, addresses, redeliver, states } = await denied(() => 500);
    for (let issued = 2; issued <= 10; issued++) {
      await issuer.issue(`pedido-${issued}`);
      await issuer.advance(0);
    }
    expect(new Set(await states())).toEqual(new Set(['held']));
    await redeliver();
    await issuer.advance(0);
    expect(addresses[0]?.arrivals).toHaveLength(11);
    expect((await states())[0]).toBe('held');
    for (const address of addresses) address.script = () => 200;
    await redeliver();
    await issuer.advance(aDay);
    expect(addresses[0]?.arrivals).toHaveLength(12);
    expect(await states()).toEqual(['delivered', ...Array.from({ length: 9 }, () => 'held')]);
  });

  test('under way is waited for by an advance', async () => {
    const { issuer, addresses, redeliver, states } = await denied(() => 500);
    let answer: (status: number) => void = () => undefined;
    for (const address of addresses) address.script = () => new Promise((resolve) => (answer = resolve));
    await redeliver();
    await addresses[0]?.arrived(2);
    const advanced = issuer.advance(0);
    answer(200);
    await advanced;
    expect(await states()).toEqual(['delivered']);
  });

  test.each(['/applications/none/deliveries/none/redeliver', '/applications/APP/deliveries/none/redeliver'])(
    '%s is answered with 404',
    async (path) => {
      const { appKey } = await simulator.application();
      expect(
        await simulator.control(
          'POST',
          path.replace('APP', () => appKey),
        ),
      ).toMatchObject({ status: 404 });
    },
  );

  test("of another application's event is answered with 404", async () => {
    const { addresses } = await denied(() => 200);
    const { appKey } = await simulator.application();
    const path = `/applications/${appKey}/deliveries/${addresses[0]?.arrivals[0]?.eventId}/redeliver`;
    expect(await simulator.control('POST', path)).toMatchObject({ status: 404 });
  });
});

const impatience = { ...webhookDeliveryRules, timeoutSeconds: 0.2 };
const impatient = runningSimulator({ rules: { ...referenceRules, webhookDelivery: impatience } });
const opened = webhookServices();
const clock = '2031-05-17T09:30:00.000Z';

async function newApplication(at = simulator): Promise<string> {
  return (await at.application({ clock })).appKey;
}

function put(appKey: string, ...urls: unknown[]): Promise<TestAnswer> {
  return simulator.control('PUT', `/applications/${appKey}/verification-webhook`, { urls });
}

describe('saving verification addresses', () => {
  test.each<[string, Script, RegExp]>([
    ['404', () => 404, /404, not with 2xx/],
    ['a redirect', () => 302, /302, not with 2xx/],
    ['nothing', () => 'reset', /did not acknowledge/],
  ])('an address that answers %s is refused with 422', async (_what, script, error) => {
    const appKey = await newApplication();
    const answer = await put(appKey, receiver.address().url, receiver.address(script).url);
    expect(answer).toMatchObject({ status: 422, json: { error: textLike(error) } });
  });

  test('an address that answers too late is refused with 422', async () => {
    const { url } = receiver.address(() => new Promise(() => undefined));
    const path = `/applications/${await newApplication(impatient)}/verification-webhook`;
    const error = textLike(/no answer within 0.2 seconds/);
    expect(await impatient.control('PUT', path, { urls: [url] })).toMatchObject({ status: 422, json: { error } });
  });

  test.each(['', '/path', 'ftp://receiver.example', 'receiver.example'])('%j is no address: 422', async (url) => {
    const good = receiver.address();
    expect(await put(await newApplication(), good.url, url)).toMatchObject({ status: 422, json: { error: anyText } });
    expect(good.arrivals).toEqual([]);
  });

  test('an address that is named twice is tested and kept once', async () => {
    const { url, arrivals } = receiver.address();
    expect(await put(await newApplication(), url, url)).toMatchObject({ json: { urls: [url] } });
    expect(arrivals).toHaveLength(1);
  });

  test.each([[{}], [{ urls: 'http://a' }], [{ urls: [1] }], [{ urls: [], more: 1 }]])(
    '%j is refused with 400',
    async (body) => {
      const path = `/applications/${await newApplication()}/verification-webhook`;
      expect(await simulator.control('PUT', path, body)).toMatchObject({ status: 400, json: { error: anyText } });
    },
  );

  test('the application is to be known', async () => {
    expect(await put('none')).toMatchObject({ status: 404 });
  });
});

describe('options of the simulator', () => {
  const branded = runningSimulator({ headerPrefix: 'X-Marca' });
  const publicOnly = runningSimulator({ publicCallbacksOnly: true });

  test('the headers start with the prefix that it was given', async () => {
    const { appKey } = await branded.application();
    const { url, arrivals } = receiver.address();
    await branded.control('PUT', `/applications/${appKey}/verification-webhook`, { urls: [url] });
    expect(arrivals[0]?.headers).toMatchObject({ 'x-marca-event': 'webhook.verify', 'x-marca-signature': anyText });
  });

  test('a private address is refused with 422 where only public ones are called', async () => {
    const { appKey } = await publicOnly.application();
    const { url, arrivals } = receiver.address();
    const path = `/applications/${appKey}/verification-webhook`;
    const answer = await publicOnly.control('PUT', path, { urls: [url] });
    expect(answer).toMatchObject({ status: 422, json: { error: textLike(/127\.0\.0\.1 is not a public address/) } });
    expect(arrivals).toEqual([]);
  });
});

describe('the list of verification addresses', () => {
  test('is replaced by one that is saved, and stays when one is refused', async () => {
    const service = opened();
    const application = service.application();
    const { appKey } = application;
    const [first, second, third] = [receiver.address(), receiver.address(), receiver.address(() => 500)];
    const statuses: number[] = [];
    for (const urls of [[first.url], [second.url], [second.url, third.url]]) {
      const rawBody = Buffer.from(JSON.stringify({ urls }));
      statuses.push((await setVerificationWebhook({ variables: { appKey }, rawBody }, service)).status);
    }
    service.push(application, 'verification');
    await service.advance(application, 0);
    expect(statuses).toEqual([200, 200, 422]);
    // Besides the test deliveries.
    expect([first, second, third].map(({ arrivals }) => arrivals.length)).toEqual([1, 3, 1]);
  });

  test('loses an address without losing what is owed to it', async () => {
    const service = opened();
    const application = service.application();
    const { appKey } = application;
    const address = receiver.address((_, index) => (index === 0 ? 500 : 200));
    service.subscribe(application, 'verification', address.url);
    service.push(application, 'verification');
    await service.advance(application, 0);
    await setVerificationWebhook({ variables: { appKey }, rawBody: Buffer.from('{"urls":[]}') }, service);
    await service.advance(application, 60);
    expect(address.arrivals).toHaveLength(2);
  });
});
