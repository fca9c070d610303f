import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect } from 'vitest';
import { controlAnswers, controlRefusal } from '../../schemas/control.ts';
import { member } from '../../schemas/values.ts';
import { validator } from '../../schemas/validate.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../start.ts';
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

/** A simulator in a process of its own. */
export interface Spawned {
  readonly running: Running;
  /** Kills it, as a power cut would, and waits until it is gone. */
  readonly kill: () => Promise<void>;
}

const controlToken = 'T0ken-of-the-test';
const main = new URL('../main.ts', import.meta.url).pathname;

/** Starts a simulator on that data file, and waits until it listens. `cacheFolder` speeds up the starts after the first. */
export async function spawnSimulator(dataFile: string, cacheFolder: string): Promise<Spawned> {
  const flags = ['--port', '0', '--data', dataFile, '--control-token', controlToken];
  const child = spawn(process.execPath, [main, ...flags], {
    env: { ...process.env, NODE_COMPILE_CACHE: cacheFolder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const baseUrl = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      const [, found] = /^base URL +(\S+)$/m.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    void gone.then(() => reject(new Error(`the simulator ended at once: ${output}`)));
  });
  const running: Running = {
    baseUrl,
    control: (method, path, body) => controlCall({ baseUrl, controlToken }, method, path, body),
    async application(wish = {}) {
      const { json } = await running.control('POST', '/applications', wish);
      return { appKey: textIn(json, 'appKey'), appName: textIn(json, 'appName'), appSecret: textIn(json, 'appSecret') };
    },
  };
  return {
    running,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** Stands for a text that the pattern fits. */
export function textLike(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}

/** Stands for any text at all. */
export const anyText: unknown = expect.any(String);
