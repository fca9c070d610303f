import { describe, expect, test } from 'vitest';
import { type CodeName, languages } from '../../contract/values.ts';
import { endpoints } from '../../contract/endpoints.ts';
import type { Application } from '../model/application.ts';
import { applicationRules, type ApplicationRules } from '../rules/application.ts';
import { referenceRules } from '../rules/rules.ts';
import { echoCall, send, signedCall } from '../testing/call.ts';
import { runningSimulator, textIn } from '../testing/running.ts';

const simulator = runningSimulator();
const refused = (code: number): object => ({ status: 403, json: { success: false, errorType: 1, code } });
const conditions = [
  [{ state: 'disabled' }, 10009004],
  [{ state: 'pending' }, 10009015],
  [{ state: 'rejected' }, 10009015],
  [{ integratorState: 'disabled' }, 10009014],
] as const;

describe('application', () => {
  test.each(conditions)('one with %j is refused on every endpoint', async (wish, code) => {
    const { appSecret: token } = await simulator.application(wish);
    for (const { method, path } of endpoints) {
      const target = path.replaceAll(/\{\w+\}/g, 'x');
      expect(await send(simulator.baseUrl, signedCall({ token, method, target }))).toMatchObject(refused(code));
    }
  });

  test.each([
    ['disabled', 10009004],
    ['pending', 10009015],
    ['rejected', 10009015],
  ])('its own state %s is named before that of its integrator', async (state, code) => {
    const { appSecret } = await simulator.application({ state, integratorState: 'disabled' });
    expect(await send(simulator.baseUrl, echoCall(appSecret))).toMatchObject(refused(code));
  });

  test.each(conditions)(
    '%j is refused from the moment it is set, and served again from the moment it is lifted',
    async (change, code) => {
      const { appKey, appSecret } = await simulator.application();
      const echo = (): Promise<unknown> => send(simulator.baseUrl, echoCall(appSecret));
      await simulator.control('PATCH', `/applications/${appKey}`, change);
      expect(await echo()).toMatchObject(refused(code));
      await simulator.control('PATCH', `/applications/${appKey}`, { state: 'active', integratorState: 'active' });
      expect(await echo()).toMatchObject({ status: 200 });
    },
  );

  test.each(conditions)('the refusal of %j follows the language', async (wish) => {
    const { appSecret } = await simulator.application(wish);
    const texts = new Set<string>();
    for (const language of languages) {
      const { json } = await send(simulator.baseUrl, echoCall(appSecret, { headers: { language } }));
      texts.add(textIn(json, 'message'));
    }
    expect(texts.size).toBe(languages.length);
  });

  test('an unknown path is refused before it is 404', async () => {
    const { appSecret: token } = await simulator.application({ state: 'disabled' });
    const call = signedCall({ token, target: '/openapi/none' });
    expect(await send(simulator.baseUrl, call)).toMatchObject(refused(10009004));
  });
});

describe('with one rule replaced', () => {
  const active: Application = {
    appKey: 'a',
    appName: 'a',
    integratorId: 'i',
    state: 'active',
    integratorState: 'active',
    subscriptions: 'all',
    rateLimit: null,
    clock: 'system',
    settleSeconds: 0,
    authority: { issuance: null, isReachable: true },
  };
  const { refusal, codes } = applicationRules;
  const wrong = { disabled: 'notSubscribed', notEffective: 'rateLimited', integratorDisabled: 'retired' } as const;

  test.each<[string, Partial<ApplicationRules>, CodeName]>([
    ['isDisabled', { isDisabled: () => true }, codes.disabled],
    ['isNotEffective', { isNotEffective: () => true }, codes.notEffective],
    ['isIntegratorDisabled', { isIntegratorDisabled: () => true }, codes.integratorDisabled],
    ['codes of a disabled one', { isDisabled: () => true, codes: wrong }, wrong.disabled],
    ['codes of one not effective', { isNotEffective: () => true, codes: wrong }, wrong.notEffective],
    ['codes of a disabled integrator', { isIntegratorDisabled: () => true, codes: wrong }, wrong.integratorDisabled],
  ])('%s decides alone', (_rule, change, code) => {
    expect(refusal(active, applicationRules)).toBeUndefined();
    expect(refusal(active, { ...applicationRules, ...change })).toBe(code);
  });

  describe('of a running simulator', () => {
    const other = runningSimulator({
      rules: { ...referenceRules, application: { ...applicationRules, isNotEffective: () => false } },
    });

    test('the stage asks it', async () => {
      const { appSecret } = await other.application({ state: 'rejected' });
      expect(await send(other.baseUrl, echoCall(appSecret))).toMatchObject({ status: 200 });
    });
  });
});
