import { describe, expect, test } from 'vitest';
import { echoCall, send, signedCall, systemSeconds, type TestAnswer } from '../testing/call.ts';
import { runningSimulator } from '../testing/running.ts';

const simulator = runningSimulator();

/** A request to be sent, in the parts that carry faults. */
interface Parts {
  /** Laid over the right ones. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the application is like that sends it. */
  readonly application: object;
  readonly target: string;
  readonly body: string;
}

interface Fault {
  readonly name: string;
  readonly status: number;
  readonly code: number | string;
  readonly lay: (parts: Parts) => Parts;
}

const headers =
  (wrong: Record<string, string>): Fault['lay'] =>
  (parts) => ({ ...parts, headers: { ...parts.headers, ...wrong } });
const application =
  (wish: object): Fault['lay'] =>
  (parts) => ({ ...parts, application: { ...parts.application, ...wish } });
const limitSpent = { rateLimit: { limit: 0, windowSeconds: 60 } };

/** In the order in which they are answered. */
const faults: readonly Fault[] = [
  { name: 'no timestamp', status: 401, code: 10009000, lay: headers({ timestamp: '' }) },
  { name: 'an old timestamp', status: 401, code: 10009001, lay: headers({ timestamp: systemSeconds(-3600) }) },
  { name: 'an unknown token', status: 401, code: 10009002, lay: headers({ token: 'nobody' }) },
  { name: 'a wrong sign', status: 401, code: 10009003, lay: headers({ sign: '0'.repeat(32) }) },
  {
    name: 'a retired path',
    status: 410,
    code: 10009034,
    lay: (parts) => ({ ...parts, target: '/openapi/nfe/invoice/create' }),
  },
  { name: 'a disabled application', status: 403, code: 10009004, lay: application({ state: 'disabled' }) },
  { name: 'a pending application', status: 403, code: 10009015, lay: application({ state: 'pending' }) },
  { name: 'a disabled integrator', status: 403, code: 10009014, lay: application({ integratorState: 'disabled' }) },
  { name: 'no subscription', status: 403, code: 10009005, lay: application({ subscriptions: [] }) },
  { name: 'a spent rate limit', status: 429, code: 10009006, lay: application(limitSpent) },
  {
    name: 'a body that the endpoint refuses',
    status: 400,
    code: 'SIM-ECHO-WITHOUT-MESSAGE',
    lay: (parts) => ({ ...parts, body: 'no JSON' }),
  },
];

function subsets<T>([first, ...rest]: readonly T[]): readonly T[][] {
  if (first === undefined) return [[]];
  return subsets(rest).flatMap((set) => [set, [first, ...set]]);
}

const secrets = new Map<string, string>();

async function secretOf(wish: object): Promise<string> {
  const key = JSON.stringify(wish);
  const secret = secrets.get(key) ?? (await simulator.application(wish)).appSecret;
  secrets.set(key, secret);
  return secret;
}

async function answerTo(chosen: readonly Fault[]): Promise<TestAnswer> {
  const faultless = { headers: {}, application: {}, target: '/openapi/demo/echo', body: '{"message":"hello"}' };
  // The earliest is laid on last: two of them may be in the same place.
  const parts = chosen.reduceRight<Parts>((laid, { lay }) => lay(laid), faultless);
  const { target, body } = parts;
  const right = signedCall({ token: await secretOf(parts.application), method: 'POST', target, body });
  return send(simulator.baseUrl, { ...right, headers: { ...right.headers, ...parts.headers } });
}

describe('precedence', () => {
  test('a request without a fault is served', async () => {
    expect(await answerTo([])).toMatchObject({ status: 200 });
  });

  test.each(faults.map((fault, index) => [fault.name, fault, faults.slice(index + 1)] as const))(
    '%s is answered whatever later faults the request has',
    async (_name, fault, later) => {
      for (const others of subsets(later)) {
        const answer = await answerTo([fault, ...others]);
        const names = others.map(({ name }) => name).join(', ');
        expect(answer, `with ${names}`).toMatchObject({ status: fault.status, json: { code: fault.code } });
      }
    },
  );

  test('an unknown path is 404 after every other fault', async () => {
    const { appSecret: token } = await simulator.application({ rateLimit: { limit: 1, windowSeconds: 60 } });
    const call = signedCall({ token, target: '/openapi/none' });
    expect(await send(simulator.baseUrl, call)).toMatchObject({ status: 404 });
    expect(await send(simulator.baseUrl, call)).toMatchObject({ status: 429 });
    expect(await send(simulator.baseUrl, echoCall(token))).toMatchObject({ status: 429 });
  });
});
