import { describe, expect, test } from 'vitest';
import { send, anyText, runningSimulator, textLike, textIn } from '../testing/call.ts';
import { member } from '../../schemas/values.ts';

const controlToken = 'T0ken-of-the-test';
const simulator = runningSimulator({ controlToken });
const root = '/control/v1/';

describe('control API', () => {
  test('describes itself with and without the closing slash', async () => {
    const described = { version: 1, implementation: textLike(/simulator \d+\.\d+\.\d+$/) };
    for (const path of ['/', '']) {
      expect(await simulator.control('GET', path)).toMatchObject({ status: 200, json: described });
    }
  });

  test.each([
    ['none', {}],
    ['another token', { authorization: 'Bearer other' }],
    ['another scheme', { authorization: `Basic ${controlToken}` }],
    ['the token alone', { authorization: controlToken }],
    ['no token', { authorization: 'Bearer ' }],
    ['the start of the token', { authorization: `Bearer ${controlToken.slice(0, -1)}` }],
  ])('with %s as authorization it answers 401', async (_what, headers) => {
    for (const target of [root, '/control/v1/none', '/control/v1/applications']) {
      const answer = await send(simulator.baseUrl, { target, headers });
      expect(answer).toMatchObject({ status: 401, json: { error: textLike(/Bearer/) } });
    }
  });

  test('the name of the scheme has no letter case', async () => {
    const headers = { authorization: `bearer ${controlToken}` };
    expect(await send(simulator.baseUrl, { target: root, headers })).toMatchObject({ status: 200 });
  });

  test('an unknown path is answered with 404', async () => {
    for (const path of ['/none', '/applications/', '/applications/a/none', '//']) {
      expect(await simulator.control('GET', path)).toMatchObject({ status: 404, json: { error: anyText } });
    }
  });

  test.each([
    ['DELETE', '/', 'GET'],
    ['GET', '/applications', 'POST'],
    ['PUT', '/applications/a', 'GET, PATCH'],
    ['GET', '/applications/a/clock', 'POST'],
  ])('%s %s is answered with 405', async (method, path, allow) => {
    const answer = await simulator.control(method, path);
    expect(answer).toMatchObject({ status: 405, headers: { allow }, json: { error: `This path takes ${allow}.` } });
  });

  test('a path that only starts alike belongs to the gateway', async () => {
    for (const target of ['/control/v1x', '/control', '/openapi/control/v1/']) {
      expect(await send(simulator.baseUrl, { target })).toMatchObject({ status: 401, json: { code: 10009000 } });
    }
  });
});

describe('without a control token on an interface that others reach', () => {
  const open = runningSimulator({ host: '0.0.0.0' });

  test('the control API is off', async () => {
    const headers = { authorization: 'Bearer ' };
    for (const target of [root, '/control/v1/applications']) {
      expect(await send(open.baseUrl, { target, headers })).toMatchObject({ status: 404 });
    }
  });
});

const chave = '35210258716523000119550000000573661346317847';

describe('the authority of an application', () => {
  test.each([
    [{ issuance: { outcome: 'Talvez' } }, 'The field issuance is to be'],
    [{ reachable: 'yes' }, 'The field reachable is to be'],
    [{ other: 1 }, 'The field other is unknown'],
  ])('refuses %j', async (body, sentence) => {
    const { appKey } = await simulator.application();
    const answer = await simulator.control('PUT', `/applications/${appKey}/authority`, body);
    expect(answer.status).toBe(400);
    expect(member(answer.json, 'error')).toContain(sentence);
  });

  test('of an unknown application is 404', async () => {
    expect((await simulator.control('PUT', '/applications/none/authority', {})).status).toBe(404);
  });
});

describe('the record of an invoice', () => {
  test('is kept with the usual return texts where none are given', async () => {
    const { status, json } = await simulator.control('PUT', `/authority/invoices/${chave}`, { status: 'Denegada' });
    expect(status).toBe(200);
    expect(json).toMatchObject({ chave, status: 'Denegada', cStat: '110', xMotivo: 'Uso Denegado', eventos: [] });
  });

  test.each([
    ['a malformed chave', '123', { status: 'Autorizada' }, 'A chave is 44 digits'],
    ['a wrong check digit', `${chave.slice(0, 43)}0`, { status: 'Autorizada' }, 'A chave is 44 digits'],
    ['no status', chave, {}, 'The field status is missing'],
    ['an unknown status', chave, { status: 'Perdida' }, 'The field status is to be'],
  ])('is refused with %s', async (_, key, body, sentence) => {
    const answer = await simulator.control('PUT', `/authority/invoices/${key}`, body);
    expect(answer.status).toBe(400);
    expect(member(answer.json, 'error')).toContain(sentence);
  });
});

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
