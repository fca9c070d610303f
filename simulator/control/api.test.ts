import { describe, expect, test } from 'vitest';
import { send, anyText, runningSimulator, textLike } from '../testing/call.ts';
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
