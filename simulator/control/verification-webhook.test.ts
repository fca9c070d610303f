import { describe, expect, test } from 'vitest';
import { referenceRules } from '../rules/rules.ts';
import { webhookDeliveryRules } from '../rules/webhook-delivery.ts';
import { type TestAnswer, anyText, runningSimulator, textLike } from '../testing/call.ts';
import { runningReceiver, type Script, webhookServices } from '../testing/receiver.ts';
import { setVerificationWebhook } from './api.ts';

const impatience = { ...webhookDeliveryRules, timeoutSeconds: 0.2 };
const simulator = runningSimulator({ rules: { ...referenceRules, webhookDelivery: impatience } });
const opened = webhookServices();
const receiver = runningReceiver();
const clock = '2031-05-17T09:30:00.000Z';

async function newApplication(): Promise<string> {
  return (await simulator.application({ clock })).appKey;
}

function put(appKey: string, ...urls: unknown[]): Promise<TestAnswer> {
  return simulator.control('PUT', `/applications/${appKey}/verification-webhook`, { urls });
}

describe('saving verification addresses', () => {
  test.each<[string, Script, RegExp]>([
    ['404', () => 404, /404, not with 2xx/],
    ['a redirect', () => 302, /302, not with 2xx/],
    ['nothing', () => 'reset', /did not acknowledge/],
    ['too late', () => new Promise(() => undefined), /no answer within 0.2 seconds/],
  ])('an address that answers %s is refused with 422', async (_what, script, error) => {
    const appKey = await newApplication();
    const answer = await put(appKey, receiver.address().url, receiver.address(script).url);
    expect(answer).toMatchObject({ status: 422, json: { error: textLike(error) } });
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
