import { describe, expect, test } from 'vitest';
import { parseJsonObject } from '../http/json.ts';
import { send, signedCall, type TestAnswer } from '../testing/call.ts';
import { profileFile, registrationCall } from '../testing/empresas.ts';
import { textLike } from '../testing/matchers.ts';
import { runningSimulator } from '../testing/running.ts';

const simulator = runningSimulator();
const profile = parseJsonObject(profileFile('empresa.json')) ?? {};
const aGuid = textLike(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/);
const accepted = { status: 200, json: { empresaId: aGuid } };

async function register(body: string | Buffer): Promise<TestAnswer> {
  const { appSecret } = await simulator.application();
  return send(simulator.baseUrl, registrationCall(appSecret, body));
}

describe('registration', () => {
  test('what is wrong is said in an array of codigo and mensagem, all at once', async () => {
    const { status, json } = await register(JSON.stringify({ ...profile, cnpj: '99999991000124', email: 'a' }));
    expect({ status, json }).toEqual({
      status: 400,
      json: [
        { codigo: 'SIM-EMPRESA-CAMPO-TAMANHO', mensagem: 'email deve ter de 3 a 60 caracteres' },
        { codigo: 'SIM-EMPRESA-CNPJ-INVALIDO', mensagem: 'cnpj deve ter os dígitos verificadores corretos' },
      ],
    });
  });
});

describe('a body that is no company', () => {
  const deep = (start: string, middle: string, end: string): string =>
    start.repeat(100_000) + middle + end.repeat(100_000);
  test.each([
    ['nothing', ''],
    ['an array', '[]'],
    ['a text', '"cnpj"'],
    ['null', 'null'],
    ['JSON that is cut short', profileFile('empresa.json').subarray(0, -3)],
    ['JSON that is not UTF-8', Buffer.from([0x7b, 0x22, 0xe7, 0x22, 0x3a, 0x31, 0x7d])],
    ['arrays nested 100,000 deep', deep('[', '', ']')],
    ['objects nested without an end', deep('{"a":', '', '')],
  ])('%s is refused', async (_what, body) => {
    const { status, json } = await register(body);
    const mensagem = 'O corpo deve ser um objeto JSON em UTF-8.';
    expect({ status, json }).toEqual({ status: 400, json: [{ codigo: 'SIM-EMPRESA-CORPO', mensagem }] });
  });

  test.each([
    ['a field', `{"cnpj":${deep('[', '', ']')}}`],
    ['the address', `{"endereco":${deep('{"a":', '1', '}')}}`],
    ['an unknown field', deep('{"a":', '1', '}')],
  ])('nesting 100,000 deep in %s is refused before it is read', async (_where, body) => {
    expect(await register(body)).toMatchObject({ status: 400, json: [{ codigo: 'SIM-EMPRESA-CORPO' }] });
  });

  test('nesting 500 deep in a field is refused field by field', async () => {
    const answer = await register(`{"cnpj":${'['.repeat(500)}${']'.repeat(500)}}`);
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.bodyText).toContain('razaoSocial');
  });

  test('one of more than 1 MiB is too large', async () => {
    const empresa = profileFile('empresa.json');
    const body = (bytes: number): Buffer => Buffer.concat([empresa, Buffer.alloc(bytes - empresa.length, ' ')]);
    const mensagem = 'O corpo da requisição é grande demais.';
    expect(await register(body(1024 * 1024))).toMatchObject(accepted);
    const { status, json } = await register(body(1024 * 1024 + 1));
    expect({ status, json }).toEqual({ status: 400, json: [{ codigo: 'SIM-EMPRESA-CORPO', mensagem }] });
  });

  test('one of 20 MB is too large before its sign is looked at', async () => {
    const { appSecret: token } = await simulator.application();
    const call = { token, method: 'POST', target: '/openapi/v2/empresas', body: Buffer.alloc(20e6, 0x20) };
    const answer = await send(simulator.baseUrl, signedCall({ ...call, headers: { sign: 'wrong' } }));
    expect(answer).toMatchObject({ status: 400, json: [{ codigo: 'SIM-BODY-TOO-LARGE' }] });
  });
});
