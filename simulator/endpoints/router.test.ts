import { describe, expect, test } from 'vitest';
import { endpoints } from '../../contract/endpoints.ts';
import { referenceRules } from '../rules/rules.ts';
import { send, signedCall, type TestAnswer } from '../testing/call.ts';
import { anyText, textLike } from '../testing/matchers.ts';
import { runningSimulator } from '../testing/running.ts';

describe('not found', () => {
  const simulator = runningSimulator();
  const signed = async (method: string, target: string): Promise<TestAnswer> => {
    const { appSecret } = await simulator.application();
    return send(simulator.baseUrl, signedCall({ token: appSecret, method, target, headers: { language: 'en' } }));
  };

  test.each(endpoints.filter(({ name }) => name !== 'echo').map(({ method, path, errors }) => [method, path, errors]))(
    '%s %s with nothing in it is refused in the shape %s',
    async (method, path, errors) => {
      const object = { code: anyText, message: anyText };
      const array: unknown = expect.arrayContaining([{ codigo: anyText, mensagem: anyText }]);
      const json = errors === 'code-message' ? object : array;
      const answer = await signed(method, path.replaceAll(/\{\w+\}/g, 'x'));
      expect(answer).toMatchObject({ json });
      expect([400, 404]).toContain(answer.status);
    },
  );

  test.each([
    ['PUT', '/openapi/demo/echo'],
    ['GET', '/openapi/none'],
    ['OPTIONS', '*'],
  ])('%s %s is answered with code and message', async (method, target) => {
    expect(await signed(method, target)).toMatchObject({ status: 404, json: { code: 'SIM-NOT-FOUND' } });
  });
});

describe('behind a gateway that asks nothing', () => {
  const simulator = runningSimulator({ rules: { ...referenceRules, stages: ['endpoint'] } });

  test.each(endpoints.map(({ method, path }) => [method, path]))('%s %s serves no stranger', async (method, path) => {
    const target = path.replaceAll(/\{\w+\}/g, 'x');
    const { status, bodyText } = await send(simulator.baseUrl, signedCall({ token: 'nobody', method, target }));
    expect([status, bodyText]).toEqual([404, textLike(/SIM-NOT-FOUND/)]);
  });
});
