import { describe, expect, test } from 'vitest';
import { send, signedCall, type TestAnswer, runningSimulator, textLike } from '../testing/call.ts';

const simulator = runningSimulator();
const publicOnly = runningSimulator({ publicCallbacksOnly: true });
const uri = 'https://receiver.example/callbacks?a=b';
const token = 'a token of 1729';

async function register(body: unknown, at = simulator): Promise<TestAnswer> {
  const { appSecret } = await at.application();
  const bodyText = typeof body === 'string' ? body : JSON.stringify(body);
  return send(
    at.baseUrl,
    signedCall({ token: appSecret, method: 'POST', target: '/openapi/v1/webhooks', body: bodyText }),
  );
}

function refused(...codes: string[]): object {
  return { status: 400, json: codes.map((codigo) => ({ codigo, mensagem: textLike(/./) })) };
}

describe('registration', () => {
  test.each(['', ' ', ' a', 'a ', 'a\nb', 'ação', 'a\u0000', 'a'.repeat(501), null, 1, ['a']])(
    'the token %j is refused',
    async (wrong) => {
      const { status, json } = await register({ uri, token: wrong });
      expect({ status, json }).toEqual(refused('SIM-WEBHOOK-TOKEN'));
    },
  );

  test.each(['!', '~', 'a'.repeat(500)])('the token %s is taken', async (right) => {
    expect(await register({ uri, token: right })).toMatchObject({ status: 200 });
  });

  test('a body that is too large to be kept is refused, where its sign is not of the body', async () => {
    const { appSecret } = await simulator.application();
    const call = { token: appSecret, method: 'POST', target: '/openapi/v1/webhooks', body: Buffer.alloc(20e6, ' ') };
    const headers = { 'content-type': 'multipart/form-data; boundary=a' };
    const answer = await send(simulator.baseUrl, signedCall({ ...call, signedBody: '', headers }));
    expect(answer).toMatchObject(refused('SIM-WEBHOOK-CORPO'));
  });
});

describe('with public addresses only', () => {
  test.each(['http://127.0.0.1:9/', 'http://localhost/', 'https://10.1.2.3/', 'http://[::1]/', 'http://host.invalid/'])(
    '%s is refused',
    async (uri) => {
      expect(await register({ uri, token }, publicOnly)).toMatchObject(refused('SIM-WEBHOOK-URI-PRIVADA'));
    },
  );

  test('a public one is taken', async () => {
    expect(await register({ uri: 'http://93.184.215.14/', token }, publicOnly)).toMatchObject({ status: 200 });
  });
});
