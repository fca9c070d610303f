import { describe, expect, test } from 'vitest';
import { echoCall, send, systemSeconds, type TestCall } from '../testing/call.ts';
import { runningSimulator } from '../testing/running.ts';

const simulator = runningSimulator();

/** The four faults in the order of their codes, each as headers laid over a correct request. */
const faults = [
  { code: 10009000, headers: { timestamp: '' } },
  { code: 10009001, headers: { timestamp: systemSeconds(-3600) } },
  { code: 10009002, headers: { token: 'nobody' } },
  { code: 10009003, headers: { sign: '0'.repeat(32) } },
] as const;

function faulty(right: TestCall, chosen: readonly (typeof faults)[number][]): TestCall {
  // The earliest fault is laid on last: two of them are in the same header.
  const wrong = chosen.toReversed().flatMap((fault) => Object.entries(fault.headers));
  return { ...right, headers: { ...right.headers, ...Object.fromEntries(wrong) } };
}

describe('precedence', () => {
  const sets = Array.from({ length: 15 }, (_, index) => faults.filter((_fault, bit) => (index + 1) & (1 << bit)));

  test.each(sets.map((set) => [set.map(({ code }) => code).join(', '), set] as const))(
    'of the faults %s the earliest is answered',
    async (_names, set) => {
      const { appSecret } = await simulator.application();
      const answer = await send(simulator.baseUrl, faulty(echoCall(appSecret), set));
      expect(answer).toMatchObject({ status: 401, json: { code: set[0]?.code } });
    },
  );

  test('a wrong sign is answered before a body that the endpoint refuses', async () => {
    const { appSecret } = await simulator.application();
    const call = echoCall(appSecret, { body: 'no JSON', headers: { sign: '0'.repeat(32) } });
    expect(await send(simulator.baseUrl, call)).toMatchObject({ status: 401, json: { code: 10009003 } });
  });
});
