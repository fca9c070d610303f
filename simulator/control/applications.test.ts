import { describe, expect, test } from 'vitest';
import { anyText, runningSimulator, textIn, textLike } from '../testing/call.ts';

const simulator = runningSimulator();
const clock = '2031-05-17T09:30:00.000Z';
const everything = {
  appName: 'Loja',
  state: 'pending',
  integratorState: 'disabled',
  subscriptions: ['/openapi/v2/empresas/{xx}/nf-e/{xx}'],
  rateLimit: { limit: 3, windowSeconds: 60 },
  clock,
  settleSeconds: 2.5,
};

describe('making an application', () => {
  test('without wishes it gets the defaults', async () => {
    const { status, json } = await simulator.control('POST', '/applications', {});
    expect({ status, json }).toEqual({
      status: 201,
      json: {
        appKey: anyText,
        appName: anyText,
        appSecret: anyText,
        state: 'active',
        integratorState: 'active',
        subscriptions: 'all',
        rateLimit: null,
        clock: 'system',
        settleSeconds: 0,
      },
    });
  });

  test('every wish is kept, and shown without the secret', async () => {
    const made = await simulator.control('POST', '/applications', everything);
    expect(made).toMatchObject({ status: 201, json: everything });
    const appKey = textIn(made.json, 'appKey');
    const { status, json } = await simulator.control('GET', `/applications/${appKey}`);
    expect({ status, json }).toEqual({ status: 200, json: { appKey, ...everything } });
  });
});

describe('wishes that are refused with 400', () => {
  test.each([
    [{ colour: 'red' }, /field colour is unknown; known here: appName, clock, state/],
    [{ appKey: 'mine' }, /field appKey is unknown/],
    [{ appName: '' }, /field appName/],
    [{ appName: null }, /field appName/],
    [{ state: 'ACTIVE' }, /field state is to be active, disabled, pending, rejected/],
    [{ integratorState: 'pending' }, /field integratorState/],
    [{ subscriptions: 'none' }, /field subscriptions/],
    [{ subscriptions: ['openapi/demo/echo'] }, /field subscriptions/],
    [{ subscriptions: ['/openapi/demo/Echo'] }, /field subscriptions/],
    [{ subscriptions: [1] }, /field subscriptions/],
    [{ rateLimit: 5 }, /field rateLimit/],
    [{ rateLimit: { limit: 1 } }, /field rateLimit/],
    [{ rateLimit: { limit: -1, windowSeconds: 1 } }, /field rateLimit/],
    [{ rateLimit: { limit: 1.5, windowSeconds: 1 } }, /field rateLimit/],
    [{ rateLimit: { limit: 1, windowSeconds: 0 } }, /field rateLimit/],
    [{ rateLimit: { limit: 1, windowSeconds: 1, burst: 2 } }, /field rateLimit/],
    [{ clock: 'now' }, /field clock/],
    [{ clock: 1936776600 }, /field clock/],
    [{ clock: '2031-05-17T09:30:00' }, /field clock/],
    [{ clock: '2031-02-30T09:30:00Z' }, /field clock/],
    [{ clock: '2031-13-01T09:30:00Z' }, /field clock/],
    [{ settleSeconds: -1 }, /field settleSeconds/],
    [{ settleSeconds: '1' }, /field settleSeconds/],
    [[], /JSON object/],
    ['text', /JSON object/],
  ])('%j', async (wish, error) => {
    const answer = await simulator.control('POST', '/applications', wish);
    expect(answer).toMatchObject({ status: 400, json: { error: textLike(error) } });
  });
});

describe('changing an application', () => {
  test('changes what is named and leaves the rest', async () => {
    const { appKey } = await simulator.application(everything);
    const changes = {
      state: 'active',
      integratorState: 'active',
      subscriptions: 'all',
      rateLimit: null,
      settleSeconds: 0,
    };
    const { status, json } = await simulator.control('PATCH', `/applications/${appKey}`, { state: 'disabled' });
    expect({ status, json }).toEqual({ status: 200, json: { appKey, ...everything, state: 'disabled' } });
    expect(await simulator.control('PATCH', `/applications/${appKey}`, changes)).toMatchObject({ json: changes });
  });

  test.each(['appName', 'clock', 'appKey', 'appSecret'])('%s can not be changed', async (field) => {
    const { appKey } = await simulator.application();
    const answer = await simulator.control('PATCH', `/applications/${appKey}`, { [field]: 'system' });
    expect(answer).toMatchObject({
      status: 400,
      json: { error: textLike(new RegExp(`field ${field} is unknown`)) },
    });
  });
});

describe('advancing a clock', () => {
  const advance = async (appKey: string, body: object): ReturnType<typeof simulator.control> =>
    simulator.control('POST', `/applications/${appKey}/clock`, body);

  test('an application on the system clock gets 409', async () => {
    const { appKey } = await simulator.application();
    const answer = await advance(appKey, { advanceSeconds: 0 });
    expect(answer).toMatchObject({ status: 409, json: { error: textLike(/system clock/) } });
  });

  test.each([
    [{}, /advanceSeconds is missing/],
    [{ advanceSeconds: -1 }, /field advanceSeconds/],
    [{ advanceSeconds: '1' }, /field advanceSeconds/],
    [{ advanceSeconds: 1e300 }, /field advanceSeconds/],
    [{ advanceSeconds: 1, wait: 'all' }, /field wait is to be attempts or none/],
    [{ advanceSeconds: 1, seconds: 1 }, /field seconds is unknown/],
  ])('%j is refused with 400', async (body, error) => {
    const { appKey } = await simulator.application({ clock });
    expect(await advance(appKey, body)).toMatchObject({ status: 400, json: { error: textLike(error) } });
  });
});

describe('an unknown App Key', () => {
  test.each([
    ['GET', '', undefined],
    ['PATCH', '', { state: 'active' }],
    ['POST', '/secret', undefined],
    ['POST', '/clock', { advanceSeconds: 1 }],
  ])('%s %s is answered with 404', async (method, path, body) => {
    for (const appKey of ['none', '%zz']) {
      const answer = await simulator.control(method, `/applications/${appKey}${path}`, body);
      expect(answer).toMatchObject({ status: 404, json: { error: 'No application has this App Key.' } });
    }
  });
});
