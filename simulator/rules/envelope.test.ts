import { describe, expect, test } from 'vitest';
import { echoCall, send } from '../testing/call.ts';
import { runningSimulator } from '../testing/running.ts';
import { referenceRules } from './rules.ts';

describe('envelope', () => {
  const simulator = runningSimulator();

  test('a refusal carries success, errorType, code and message, and nothing else', async () => {
    const { status, headers, json } = await send(simulator.baseUrl, echoCall('nobody'));
    expect({ status, json }).toEqual({
      status: 401,
      json: { success: false, errorType: 1, code: 10009002, message: 'O token não é válido' },
    });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });
});

describe('an envelope with rules replaced', () => {
  const { envelope } = referenceRules;
  const simulator = runningSimulator({
    rules: {
      ...referenceRules,
      envelope: {
        ...envelope,
        success: 'no',
        errorType: undefined,
        code: String,
        status: () => 499,
        ok: (data) => data,
      },
    },
  });

  test('is sent as they say', async () => {
    const { appSecret } = await simulator.application();
    const { status, json } = await send(simulator.baseUrl, echoCall('nobody'));
    expect({ status, json }).toEqual({
      status: 499,
      json: { success: 'no', code: '10009002', message: 'O token não é válido' },
    });
    const echoed = await send(simulator.baseUrl, echoCall(appSecret));
    expect(echoed.json).toHaveProperty('echo', 'hello');
  });
});
