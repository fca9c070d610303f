import { describe, expect, test } from 'vitest';
import { languages } from '../../contract/values.ts';
import { referenceRules } from '../rules/rules.ts';
import { send, signedCall, type SignedCall, type TestAnswer } from '../testing/call.ts';
import { runningSimulator, textIn } from '../testing/running.ts';

const simulator = runningSimulator();
const nfe = '/openapi/v2/empresas/{empresaId}/nf-e';
const retired = [
  ['POST', '/openapi/nfe/invoice/create', `POST ${nfe}`],
  ['POST', '/openapi/nfe/invoice/query', `GET ${nfe}/{nfeId}`],
  ['POST', '/openapi/nfe/invoice/cancel', `DELETE ${nfe}/{nfeId}`],
  ['POST', '/openapi/nfe/invoice/status', `GET ${nfe}/{nfeId} (field status)`],
  ['POST', '/openapi/nfe/invoice/danfe', `GET ${nfe}/{nfeId} (field linkDanfe)`],
  ['POST', '/openapi/nfe/verify/xml', 'POST /openapi/v3/consultas/nf-e/xml'],
  ['POST', '/openapi/nfe/verify/chave', 'GET /openapi/v3/consultas/nf-e/{chave}'],
  ['GET', '/openapi/cadastro/cnpj/11222333000181', 'GET /openapi/v3/consultas/cnpj/{cnpj}'],
  ['GET', '/openapi/cadastro/cpf/52998224725/01021990', 'GET /openapi/v3/consultas/cpf/{cpf}/{nascimento}'],
] as const;
const create = '/openapi/nfe/invoice/create';
const gone = { status: 410, json: { success: false, errorType: 1, code: 10009034 } };

async function ask(parts: Omit<SignedCall, 'token'>, wish: object = {}): Promise<TestAnswer> {
  const { appSecret } = await simulator.application(wish);
  return send(simulator.baseUrl, signedCall({ token: appSecret, ...parts }));
}

describe('a retired path', () => {
  test.each(retired)('%s %s gets 410 and names %s', async (method, target, replacement) => {
    const { status, json } = await ask({ method, target, headers: { language: 'en' } });
    const message = `This API has been retired, please use ${replacement} instead`;
    expect({ status, json }).toEqual({ ...gone, json: { ...gone.json, message } });
  });

  test('names its replacement in every language, in another text each', async () => {
    const texts: string[] = [];
    for (const language of languages) {
      const { json } = await ask({ method: 'POST', target: create, headers: { 'accept-language': language } });
      texts.push(textIn(json, 'message'));
    }
    for (const text of texts) expect(text).toContain(`POST ${nfe}`);
    expect(new Set(texts).size).toBe(languages.length);
  });

  test('speaks Portuguese by default', async () => {
    const { json } = await ask({ method: 'POST', target: create });
    expect(textIn(json, 'message')).toBe(`Esta API foi descontinuada, use POST ${nfe} em seu lugar`);
  });

  test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('gets 410 for %s as well', async (method) => {
    expect(await ask({ method, target: create })).toMatchObject(gone);
  });

  test('gets 410 whatever its body, query and variables are', async () => {
    expect(await ask({ method: 'POST', target: `${create}?a=b`, body: 'no JSON' })).toMatchObject(gone);
    expect(await ask({ target: '/openapi/cadastro/cnpj/%00x.y' })).toMatchObject(gone);
  });

  test.each([
    `${create}/`,
    `${create}/x`,
    '/openapi/nfe/invoice/Create',
    '/openapi/nfe/invoice',
    '/openapi/cadastro/cnpj/',
    '/openapi/cadastro/cnpj/1/2',
    '/openapi/cadastro/cpf/1',
  ])('is not %s', async (target) => {
    expect(await ask({ target })).toMatchObject({ status: 404 });
  });
});

describe('precedence of the 410', () => {
  test.each([
    ['no sign', 10009000, { sign: '' }],
    ['an old timestamp', 10009001, { timestamp: '1' }],
    ['an unknown token', 10009002, { token: 'nobody' }],
    ['a wrong sign', 10009003, { sign: '0'.repeat(32) }],
  ])('%s is 401 first', async (_what, code, headers) => {
    for (const [method, target] of retired) {
      expect(await ask({ method, target, headers })).toMatchObject({ status: 401, json: { code } });
    }
  });

  test.each([
    ['without subscriptions', { subscriptions: [] }],
    ['that is disabled', { state: 'disabled' }],
    ['that is pending', { state: 'pending' }],
    ['that was rejected', { state: 'rejected' }],
    ['of a disabled integrator', { integratorState: 'disabled' }],
    ['whose rate limit is spent', { rateLimit: { limit: 0, windowSeconds: 60 } }],
  ])('an application %s gets 410', async (_what, wish) => {
    for (const [method, target] of retired) expect(await ask({ method, target }, wish)).toMatchObject(gone);
  });
});

describe('with rules replaced', () => {
  const other = runningSimulator({
    rules: {
      ...referenceRules,
      retirement: {
        find: (method, path) => (path === create ? undefined : referenceRules.retirement.find(method, path)),
        replacementText: ({ path }) => path,
        code: 'notSubscribed',
      },
    },
  });

  test('it answers as they say', async () => {
    const { appSecret: token } = await other.application();
    const call = signedCall({ token, method: 'POST', target: '/openapi/nfe/verify/xml', headers: { language: 'en' } });
    const message = 'This API has been retired, please use /openapi/nfe/verify/xml instead';
    expect(await send(other.baseUrl, call)).toMatchObject({ status: 403, json: { code: 10009005, message } });
    expect(await send(other.baseUrl, signedCall({ token, target: create }))).toMatchObject({ status: 404 });
  });
});
