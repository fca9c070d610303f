import { describe, expect, test } from 'vitest';
import { languages } from '../../contract/values.ts';
import { referenceRules } from '../rules/rules.ts';
import { subscriptionRules } from '../rules/subscription.ts';
import { echoCall, send, signedCall, type TestAnswer } from '../testing/call.ts';
import { runningSimulator, textIn } from '../testing/running.ts';

const simulator = runningSimulator();
const refused = { status: 403, json: { success: false, errorType: 1, code: 10009005 } };
const nfe = '/openapi/v2/empresas/{xx}/nf-e';
/** Every endpoint with its scope. */
const scopes = [
  ['POST', '/openapi/demo/echo', '/openapi/demo/echo'],
  ['POST', '/openapi/v2/empresas', '/openapi/v2/empresas'],
  ['POST', '/openapi/v1/empresas/E.1/certificadoDigital', '/openapi/v1/empresas/{xx}/certificadodigital'],
  ['POST', '/openapi/v1/webhooks', '/openapi/v1/webhooks'],
  ['POST', '/openapi/v2/empresas/E-1/nf-e', nfe],
  ['GET', '/openapi/v2/empresas/E-1/nf-e/N%2F1', `${nfe}/{xx}`],
  ['DELETE', '/openapi/v2/empresas/E-1/nf-e/n_1', `${nfe}/{xx}`],
  ['POST', '/openapi/v3/consultas/nf-e/xml', '/openapi/v3/consultas/nf-e/xml'],
  ['GET', `/openapi/v3/consultas/nf-e/${'3'.repeat(44)}`, '/openapi/v3/consultas/nf-e/{xx}'],
  ['GET', '/openapi/v3/consultas/cnpj/11222333000181', '/openapi/v3/consultas/cnpj/{xx}'],
  ['GET', '/openapi/v3/consultas/cpf/52998224725/01021990', '/openapi/v3/consultas/cpf/{xx}/{xx}'],
] as const;
const distinctScopes = [...new Set(scopes.map(([, , scope]) => scope))];

async function ask(subscriptions: readonly string[], method: string, target: string): Promise<TestAnswer> {
  const { appSecret: token } = await simulator.application({ subscriptions });
  const body = method === 'POST' ? '{"message":"hello"}' : '';
  return send(simulator.baseUrl, signedCall({ token, method, target, body }));
}

describe('subscription', () => {
  test.each(scopes)('%s %s needs its scope and no other', async (method, target, scope) => {
    // What the endpoint itself then says, of a body that means nothing to it.
    expect([200, 400, 404]).toContain((await ask([scope], method, target)).status);
    // By its `{xx}` the scope of the chave lookup matches the word xml too.
    const matching = new Set<string>([scope, target.endsWith('/xml') ? '/openapi/v3/consultas/nf-e/{xx}' : scope]);
    const others = distinctScopes.filter((other) => !matching.has(other));
    expect(await ask(others, method, target)).toMatchObject(refused);
    expect(await ask([], method, target)).toMatchObject(refused);
  });

  test('all stands for every scope', async () => {
    const { appSecret } = await simulator.application({ subscriptions: 'all' });
    expect(await send(simulator.baseUrl, echoCall(appSecret))).toMatchObject({ status: 200 });
  });

  test.each([
    ['GET', '/openapi/none'],
    ['GET', '/openapi/demo/echo'],
    ['POST', '/openapi/demo/echo/'],
    ['POST', '/openapi/demo/Echo'],
    ['OPTIONS', '*'],
  ])('%s %s is no endpoint, so 404 without any subscription', async (method, target) => {
    expect(await ask([], method, target)).toMatchObject({ status: 404, json: { code: 'SIM-NOT-FOUND' } });
  });

  test('a change holds for the next request', async () => {
    const { appKey, appSecret } = await simulator.application();
    const echo = (): Promise<unknown> => send(simulator.baseUrl, echoCall(appSecret));
    const steps = [
      [[], refused],
      [['/openapi/demo/echo'], { status: 200 }],
      [['/openapi/v1/webhooks'], refused],
      ['all', { status: 200 }],
    ] as const;
    for (const [subscriptions, expected] of steps) {
      await simulator.control('PATCH', `/applications/${appKey}`, { subscriptions });
      expect(await echo()).toMatchObject(expected);
    }
  });

  test('a missing one is refused before what the endpoint refuses', async () => {
    const { appSecret } = await simulator.application({ subscriptions: [] });
    expect(await send(simulator.baseUrl, echoCall(appSecret, { body: 'no JSON' }))).toMatchObject(refused);
  });

  test('the refusal follows the language', async () => {
    const { appSecret } = await simulator.application({ subscriptions: [] });
    const texts = new Set<string>();
    for (const language of languages) {
      const { json } = await send(simulator.baseUrl, echoCall(appSecret, { headers: { language } }));
      texts.add(textIn(json, 'message'));
    }
    expect(texts.size).toBe(languages.length);
  });
});

describe('scopes', () => {
  test.each([
    ['/a/b', '/a/b', true],
    ['/a/{xx}', '/a/b', true],
    ['/a/{xx}', '/a/7', true],
    ['/a/{xx}', '/a/ção.-~', true],
    ['/{xx}/{xx}', '/a/b', true],
    ['/a/{xx}', '/a/', false],
    ['/a/{xx}', '/a', false],
    ['/a/{xx}', '/a/b/c', false],
    ['/a/{xx}/c', '/a/b/c', true],
    ['/a/{xx}/c', '/a/b/d', false],
    ['/a', '/a/b', false],
    ['/a/b', '/a', false],
    ['/a/b', '/a/bc', false],
    ['/a/b', '/a/', false],
    ['/a/{x', '/a/b', false],
    ['/a.b', '/axb', false],
  ])('%s and %s: %s', (subscribed, needed, isMatch) => {
    expect(subscriptionRules.matches(subscribed, needed)).toBe(isMatch);
  });

  test('what is needed is the path in lower case, and the same for query and cancellation', () => {
    const path = '/openapi/v2/empresas/Emp/nf-e/Nota-1';
    expect(subscriptionRules.scopeOf('GET', path)).toBe(path.toLowerCase());
    expect(subscriptionRules.scopeOf('DELETE', path)).toBe(path.toLowerCase());
    expect(subscriptionRules.scopeOf('PUT', path)).toBeUndefined();
  });
});

describe('with rules replaced', () => {
  const { scopeOf } = subscriptionRules;
  const other = runningSimulator({
    rules: {
      ...referenceRules,
      subscription: {
        ...subscriptionRules,
        scopeOf: (method, path) => (method === 'DELETE' ? `${path}/cancel` : scopeOf(method, path)),
        matches: (subscribed, needed) => needed.startsWith(subscribed),
        code: 'integratorDisabled',
      },
    },
  });

  test('they decide', async () => {
    const target = '/openapi/v2/empresas/x/nf-e/y';
    const { appKey, appSecret: token } = await other.application({ subscriptions: [`${target}/cancel`] });
    const status = async (method: string): Promise<number> =>
      (await send(other.baseUrl, signedCall({ token, method, target }))).status;
    expect(await send(other.baseUrl, signedCall({ token, target }))).toMatchObject({ json: { code: 10009014 } });
    expect(await status('DELETE')).toBe(404);
    await other.control('PATCH', `/applications/${appKey}`, { subscriptions: ['/openapi/v2'] });
    expect(await status('GET')).toBe(404);
  });
});
