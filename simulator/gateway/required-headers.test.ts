import { describe, expect, test } from 'vitest';
import { endpoints } from '../../contract/endpoints.ts';
import { echoCall, send } from '../testing/call.ts';
import { runningSimulator } from '../testing/running.ts';

const simulator = runningSimulator();
const missing = { status: 401, json: { success: false, errorType: 1, code: 10009000 } };

describe('required headers', () => {
  test.each(['token', 'timestamp', 'sign'])('a request without %s is refused with 10009000', async (name) => {
    const { appSecret } = await simulator.application();
    const call = echoCall(appSecret);
    const headers = Object.fromEntries(Object.entries(call.headers ?? {}).filter(([key]) => key !== name));
    expect(await send(simulator.baseUrl, { ...call, headers })).toMatchObject(missing);
  });

  test.each(['token', 'timestamp', 'sign'])('an empty %s counts as missing', async (name) => {
    const { appSecret } = await simulator.application();
    const call = echoCall(appSecret, { headers: { [name]: '' } });
    expect(await send(simulator.baseUrl, call)).toMatchObject(missing);
  });

  test('values in the query leave the headers missing', async () => {
    const target = '/openapi/demo/echo?token=a&timestamp=1&sign=b';
    expect(await send(simulator.baseUrl, { method: 'POST', target })).toMatchObject(missing);
  });

  test('header names have no letter case', async () => {
    const { appSecret } = await simulator.application();
    const call = echoCall(appSecret);
    const headers = Object.fromEntries(
      Object.entries(call.headers ?? {}).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect(await send(simulator.baseUrl, { ...call, headers })).toMatchObject({ status: 200 });
  });

  test.each(endpoints.map(({ method, path }) => [method, path]))('%s %s demands them', async (method, path) => {
    const target = path.replaceAll(/\{\w+\}/g, 'x');
    expect(await send(simulator.baseUrl, { method, target })).toMatchObject(missing);
  });

  test('an unknown path demands them before it is 404', async () => {
    expect(await send(simulator.baseUrl, { target: '/' })).toMatchObject(missing);
  });
});
