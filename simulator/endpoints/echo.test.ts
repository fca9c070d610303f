import { describe, expect, test } from 'vitest';
import { echoCall, send, type TestAnswer } from '../testing/call.ts';
import { runningSimulator } from '../testing/running.ts';

const simulator = runningSimulator();

async function echo(body: string | Buffer): Promise<TestAnswer> {
  const { appSecret } = await simulator.application();
  return send(simulator.baseUrl, echoCall(appSecret, { body }));
}

describe('echo', () => {
  test('the answer is the envelope with the message, the identity and the time of the caller', async () => {
    const { appKey, appSecret } = await simulator.application({
      appName: 'Loja São João',
      clock: '2031-05-17T09:30:00.5Z',
    });
    const call = echoCall(appSecret, { timestamp: '1936776600', body: '{"message":"olá"}' });
    const { status, json } = await send(simulator.baseUrl, call);
    const data = { echo: 'olá', appKey, appName: 'Loja São João', serverTime: '2031-05-17T09:30:00.500Z' };
    expect({ status, json }).toEqual({ status: 200, json: { success: true, message: 'Sucesso', data } });
  });

  test.each(['', ' a\t\u00a0 ', 'zero\u0000', '\u2028\u{1f1e7}', 'e\u0301', '\ud800', '\ufeff'])(
    'the message %j comes back as it was sent',
    async (message) => {
      expect(await echo(JSON.stringify({ message }))).toMatchObject({ status: 200, json: { data: { echo: message } } });
    },
  );

  test('further fields and a byte order mark do no harm', async () => {
    expect(await echo('\ufeff{"a":1,"message":"b"}')).toMatchObject({ status: 200, json: { data: { echo: 'b' } } });
  });

  test.each(['', 'null', '"text"', '[{"message":"a"}]', '{}', '{"message":1}', '{"message":null}', '{"message":"a"'])(
    'the body %j is refused with 400',
    async (body) => {
      const { status, json } = await echo(body);
      expect({ status, json }).toEqual({
        status: 400,
        json: {
          code: 'SIM-ECHO-WITHOUT-MESSAGE',
          message: 'O corpo deve ser um objeto JSON em que message é um texto',
        },
      });
    },
  );

  test('a body that is not UTF-8 is refused with 400', async () => {
    const body = Buffer.concat([Buffer.from('{"message":"'), Buffer.from([0xe7, 0xe3]), Buffer.from('"}')]);
    expect(await echo(body)).toMatchObject({ status: 400 });
  });
});
