import { createHash } from 'node:crypto';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, expect } from 'vitest';
import { controlAnswers, controlRefusal } from '../../schemas/control.ts';
import { member } from '../../schemas/values.ts';
import { validator } from '../../schemas/validate.ts';
import { startProcess } from '../../runner/testing/processes.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../start.ts';

/** A request of a unit test, sent as it stands; an array as a header's value sends the header that often. */
export interface TestCall {
  readonly method?: string;
  /** The target of the request line. */
  readonly target: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  /** Ends the wait for an answer. */
  readonly signal?: AbortSignal;
}

/** What came back; `json` is `undefined` for no content. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly bodyText: string;
  readonly json: unknown;
}

/** Sends a request on a connection of its own. */
export function send(baseUrl: string, call: TestCall): Promise<TestAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const { method = 'GET', target, headers = {}, body, signal } = call;
    const options = { hostname, port, method, path: target, agent: false, ...(signal ? { signal } : {}) };
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const outgoing = httpRequest({ ...options, headers: { ...length, ...headers } }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const bodyText = Buffer.concat(chunks).toString('utf8');
        const json: unknown = bodyText === '' ? undefined : JSON.parse(bodyText);
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bodyText, json });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** A correct echo request, or one with parts replaced; `signed…` replaces only what `sign` is made from. */
export function echoCall(token: string, parts: Partial<SignedCall> = {}): TestCall {
  return signedCall({ token, method: 'POST', target: '/openapi/demo/echo', body: '{"message":"hello"}', ...parts });
}

export interface SignedCall {
  readonly token: string;
  readonly method?: string;
  readonly target: string;
  readonly body?: string | Buffer;
  readonly timestamp?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly signedPath?: string;
  readonly signedBody?: string | Buffer;
}

/** A request with its three signature headers, made here by hand; headers given win over them. Section 5.2. */
export function signedCall(parts: SignedCall): TestCall {
  const { token, method = 'GET', target, body = '', timestamp = systemSeconds(), headers = {} } = parts;
  const path = parts.signedPath ?? target.split('?')[0] ?? '';
  const signed = parts.signedBody ?? body;
  const sign = createHash('md5').update(token).update(path).update(signed).update(timestamp).digest('hex');
  return { method, target, headers: { token, timestamp, sign, ...headers }, body };
}

/** The system's time as a timestamp header has it. */
export function systemSeconds(offsetSeconds = 0): string {
  return String(Math.floor(Date.now() / 1000) + offsetSeconds);
}

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
  return runningAt(started);
}

/** The simulator that a test has started, for what asks one. */
export function runningAt(started: () => Pick<Simulator, 'baseUrl' | 'controlToken'>): Running {
  return {
    get baseUrl() {
      return started().baseUrl;
    },
    control: (method, path, body) => controlCall(started(), method, path, body),
    async application(wish = {}) {
      const { json } = await controlCall(started(), 'POST', '/applications', wish);
      return { appKey: textIn(json, 'appKey'), appName: textIn(json, 'appName'), appSecret: textIn(json, 'appSecret') };
    },
  };
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
  const env = { ...process.env, NODE_COMPILE_CACHE: cacheFolder };
  const simulator = startProcess(process.execPath, [main, ...flags], { env });
  const address = /^base URL +(\S+)$/m;
  const [, baseUrl = ''] = address.exec(await simulator.printed(address)) ?? [];
  return {
    running: runningAt(() => ({ baseUrl, controlToken })),
    kill: async () => void (await simulator.end('SIGKILL')),
  };
}

/** Stands for a text that the pattern fits. */
export function textLike(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}

/** Stands for any text at all. */
export const anyText: unknown = expect.any(String);
