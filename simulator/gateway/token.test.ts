import { describe, expect, test } from 'vitest';
import { echoCall, send, systemSeconds } from '../testing/call.ts';
import { runningSimulator, textIn } from '../testing/running.ts';

const simulator = runningSimulator();
const refused = { status: 401, json: { success: false, errorType: 1, code: 10009002 } };
const echo = (token: string, parts: object = {}): Promise<unknown> => send(simulator.baseUrl, echoCall(token, parts));

describe('token', () => {
  test('the App Secret authenticates its application', async () => {
    const { appKey, appSecret } = await simulator.application();
    expect(await echo(appSecret)).toMatchObject({ status: 200, json: { data: { appKey } } });
  });

  test('a token that is no App Secret is refused with 10009002', async () => {
    expect(await echo('nobody')).toMatchObject(refused);
  });

  test('the App Key, a letter in another case, and a character more or fewer are refused', async () => {
    const { appKey, appSecret } = await simulator.application();
    const swapped = appSecret.replace(/[a-z]/, (letter) => letter.toUpperCase());
    for (const token of [appKey, swapped, `${appSecret}0`, appSecret.slice(0, -1), `%${appSecret}`]) {
      expect(await echo(token)).toMatchObject(refused);
    }
  });

  test('two equal token headers are refused with 10009002', async () => {
    const { appSecret } = await simulator.application();
    expect(await echo(appSecret, { headers: { token: [appSecret, appSecret] } })).toMatchObject(refused);
  });

  test('from a rotation on the new secret is accepted and the old one refused', async () => {
    const { appKey, appSecret } = await simulator.application();
    const { json } = await simulator.control('POST', `/applications/${appKey}/secret`);
    expect(await echo(appSecret)).toMatchObject(refused);
    expect(await echo(textIn(json, 'appSecret'))).toMatchObject({ status: 200, json: { data: { appKey } } });
  });

  test('a rotated secret of an application on a test clock is judged by the system clock', async () => {
    const { appKey, appSecret } = await simulator.application({ clock: '2031-05-17T09:30:00Z' });
    await simulator.control('POST', `/applications/${appKey}/secret`);
    expect(await echo(appSecret, { timestamp: '1936776600' })).toMatchObject({ status: 401, json: { code: 10009001 } });
    expect(await echo(appSecret, { timestamp: systemSeconds() })).toMatchObject(refused);
  });
});
