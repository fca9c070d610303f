import { afterAll, beforeAll } from 'vitest';
import { controlAnswers, controlRefusal } from '../../schemas/control.ts';
import { member } from '../../schemas/values.ts';
import { validator } from '../../schemas/validate.ts';
import { startSimulator, type Simulator, type SimulatorOptions } from '../start.ts';
import { send, type TestAnswer } from './call.ts';

/** A simulator for the tests of one file. */
export interface Running {
  readonly baseUrl: string;
  /** Asks its control API. */
  control(method: string, path: string, body?: unknown): Promise<TestAnswer>;
  /** A new application. */
  application(wish?: object): Promise<{ appKey: string; appName: string; appSecret: string }>;
}

/** Starts a simulator before the tests of the file and stops it after them. */
export function runningSimulator(options: SimulatorOptions = {}): Running {
  let simulator: Simulator | undefined;
  const started = (): Simulator => {
    if (!simulator) throw new Error('the simulator runs only during tests');
    return simulator;
  };
  beforeAll(async () => {
    simulator = await startSimulator(options);
  });
  afterAll(() => simulator?.stop());
  const running: Running = {
    get baseUrl() {
      return started().baseUrl;
    },
    control: (method, path, body) => controlCall(started(), method, path, body),
    async application(wish = {}) {
      const { json } = await running.control('POST', '/applications', wish);
      return { appKey: textIn(json, 'appKey'), appName: textIn(json, 'appName'), appSecret: textIn(json, 'appSecret') };
    },
  };
  return running;
}

/** Asks the control API of a simulator, whose answer is to be as its schema says. */
export async function controlCall(
  { baseUrl, controlToken }: Pick<Simulator, 'baseUrl' | 'controlToken'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<TestAnswer> {
  const headers = { authorization: `Bearer ${controlToken ?? ''}` };
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await send(baseUrl, { method, target: `/control/v1${path}`, headers, ...content });
  const faults = faultsOf(method, path, answer);
  if (faults.length > 0) throw new Error(`${method} ${path} of the control API answers ${faults.join('; ')}`);
  return answer;
}

function faultsOf(method: string, path: string, { status, json }: TestAnswer): readonly string[] {
  if (status >= 300) return validator(controlRefusal)(json);
  const answer = controlAnswers.find((one) => one.method === method && one.path.test(path));
  return answer ? validator(answer.schema)(json) : [];
}

/** A text field of a JSON object. */
export function textIn(json: unknown, field: string): string {
  const value = member(json, field);
  if (typeof value !== 'string') throw new Error(`no text in ${field} of ${JSON.stringify(json)}`);
  return value;
}
