import { readdirSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { mutants } from '../../mutants/all.ts';
import { isResults } from '../../schemas/stored.ts';
import type { ClauseVerdict, Results } from '../../schemas/results.ts';
import type { StagedRules } from '../../simulator/gateway/gateway.ts';
import { startSimulator } from '../../simulator/start.ts';
import { settingNames } from '../settings/settings.ts';
import { childEnvironment, warmly } from './warm.ts';
import { newFolder, textOfFile } from './folders.ts';
import type { EndedProcess } from './warm-process.ts';
import { startProcess } from './processes.ts';
import { portOf } from '../../targets/testing/served.ts';

/** How a command ended that a person ran with settings of their own. */
export interface Ended {
  /** Null: it had to be ended, since it ran on. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Everything that was printed and written. */
  readonly everything: string;
  /** What was written, by the names of the files. */
  readonly files: ReadonlyMap<string, string>;
  readonly results: Results | undefined;
  /** Most memory that its process had while it ran, where that is known. */
  readonly peakMegabytes: number | undefined;
}

/** Arguments that ask for topics. */
export function ofTopics(...names: readonly string[]): string[] {
  return names.flatMap((name) => ['--topic', name]);
}

/** Arguments that ask for clauses. */
export function ofClauses(...ids: readonly string[]): string[] {
  return ids.flatMap((id) => ['--clause', id]);
}

/** The clauses of a run that came out so, by their ids. Throws where it judged nothing: that none failed says nothing there. */
export function clausesThat({ results }: Pick<Ended, 'results'>, ...verdicts: readonly ClauseVerdict[]): string[] {
  if (!results) throw new Error('the run wrote no results');
  return results.clauses.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}

/** The same cases each time: a test of the runner is not to end otherwise by the luck of a draw. */
const defaults = { NFE_NUM_RUNS: '5', NFE_SEED: '1729' };

/** A run that is under way. */
export interface Going {
  /** What it has printed so far. */
  readonly printed: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<Ended>;
}

/** A command may take 10 seconds until it tells of trouble; a busy machine takes many times as long. */
const mostWallMs = 240_000;

/** A whole run takes longer than one that is stopped. */
const mostOfRunMs = 280_000;

/** Runs a command with these settings only; ends it when it goes on too long. */
export async function command(
  name: string,
  settings: Readonly<Record<string, string>>,
  words: readonly string[] = [],
  { mostMs = mostWallMs } = {},
): Promise<Ended> {
  const folder = newFolder();
  const told = await warmly({ command: name, words, env: environmentOf(folder, settings) }, { mostMs });
  return endedIn(folder, told);
}

/** Runs `npm test` with these settings only, and gives all that came of it. Throws where it had to be ended: nothing can be said of it. */
export function npmTest(settings: Record<string, string>, ...words: string[]): Promise<Ended> {
  return npmTestWithin(mostOfRunMs, settings, words);
}

/** The same for a run that may take so long. */
export async function npmTestWithin(
  mostMs: number,
  settings: Record<string, string>,
  words: readonly string[],
): Promise<Ended> {
  const ended = await command('test', { ...defaults, ...settings }, words, { mostMs });
  if (ended.status === null) throw new Error(`npm test ${words.join(' ')} had to be ended after ${mostMs / 1000} s`);
  return ended;
}

/** The same in a process of its own, while it is under way. */
export function startNpmTest(settings: Record<string, string>, ...words: string[]): Going {
  const folder = newFolder();
  const env = environmentOf(folder, { ...defaults, ...settings });
  const { said, child, ended } = startProcess('node', ['desk/main.ts', 'test', ...words], { env });
  return {
    printed: said,
    kill: (signal) => void child.kill(signal),
    ended: ended.then((end) => endedIn(folder, { ...end, peakMegabytes: undefined })),
  };
}

/** Waits until that is so of a run that is under way, however busy the machine; fails, with what it said, where it ends before. */
export async function during({ ended }: Going, isSo: () => boolean): Promise<void> {
  let end: Ended | undefined;
  void ended.then((one) => (end = one));
  while (!isSo()) {
    if (end) throw new Error(`the run ended too soon: ${end.stdout}${end.stderr}`);
    await sleep(20);
  }
}

/** What a command gets of the environment: these settings, and no other of ours. */
export function environmentOf(
  folder: string,
  settings: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const unset = Object.fromEntries(settingNames.map((name) => [name, '']));
  return { ...childEnvironment(), ...unset, TMPDIR: newFolder(), NFE_REPORT_DIR: folder, ...settings };
}

function endedIn(folder: string, told: EndedProcess): Ended {
  const files = new Map(readdirSync(folder).map((file) => [file, textOfFile(join(folder, file))]));
  const everything = [told.stdout, told.stderr, ...files.values()].join('\n');
  // What had to be ended may have been writing.
  const json = told.status === null ? undefined : files.get('results.json');
  const parsed: unknown = json === undefined ? undefined : JSON.parse(json);
  return { ...told, everything, files, results: isResults(parsed) ? parsed : undefined };
}

/** A server that is no simulator; gives its base address to the test and closes it afterwards. */
export async function withServer<T>(listener: RequestListener, use: (baseUrl: string) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  const baseUrl = `http://127.0.0.1:${await portOf(server)}`;
  try {
    return await use(baseUrl);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A simulator that the suite may steer: known by its address and its control API. */
export async function withSteered<T>(rules: StagedRules, use: (settings: Steered) => Promise<T>): Promise<T> {
  const simulator = await startSimulator({ rules });
  const { baseUrl, controlUrl = '', controlToken = '' } = simulator;
  try {
    const control = { NFE_CONTROL_URL: controlUrl, NFE_CONTROL_TOKEN: controlToken };
    return await use({ NFE_BASE_URL: baseUrl, ...control, NFE_MAX_RPS: '0' });
  } finally {
    await simulator.stop();
  }
}

type Steered = Record<'NFE_BASE_URL' | 'NFE_CONTROL_URL' | 'NFE_CONTROL_TOKEN' | 'NFE_MAX_RPS', string>;

/** A simulator as a foreign server: known by its address and one secret, without control API. */
export async function withForeign<T>(
  rules: StagedRules,
  use: (settings: Record<string, string>) => Promise<T>,
): Promise<T> {
  const simulator = await startSimulator({ rules });
  try {
    const { appSecret } = simulator.readyApplication();
    return await use({ NFE_BASE_URL: simulator.baseUrl, NFE_APP_SECRET: appSecret, NFE_MAX_RPS: '0' });
  } finally {
    await simulator.stop();
  }
}

/** The rules of the mutant of that id. */
export function mutantRules(id: string): StagedRules {
  const found = mutants.find((mutant) => mutant.id === id);
  if (!found) throw new Error(`no mutant is called ${id}`);
  return found.rules;
}

/** The answer of another server to a request that came here, whole. */
export interface Passed {
  readonly status: number;
  /** Without those that are about its connection and its length. */
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Hands a request on to another server, on a connection of its own. */
export function passedOn(
  baseUrl: string,
  { method, url = '', rawHeaders }: IncomingMessage,
  rawBody: Buffer,
): Promise<Passed> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const onward = httpRequest({ hostname, port, method, headers: rawHeaders, path: url, agent: false }, (answer) => {
      const {
        'transfer-encoding': _,
        'content-length': __,
        connection: ___,
        'keep-alive': ____,
        ...headers
      } = answer.headers;
      buffer(answer).then((body) => resolve({ status: answer.statusCode ?? 500, headers, body }), reject);
    });
    onward.on('error', reject);
    onward.end(rawBody);
  });
}

/**
 * Hands a request on to another server and its answer back; answers gain the headers, and lose their
 * date unless they are dated. `headersSent` makes the request's headers (names and values in turn) what is handed on.
 */
export function passOn(
  baseUrl: string,
  {
    headersSent = (raw: readonly string[]): readonly string[] => raw,
    headersOf = (): Record<string, string> => ({}),
    isDated = true,
  } = {},
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const { hostname, port } = new URL(baseUrl);
  return (incoming, outgoing) => {
    const { method, rawHeaders, url = '' } = incoming;
    const headers = headersSent(rawHeaders);
    const onward = httpRequest({ hostname, port, method, headers, path: url }, (answer) => {
      const { date, ...rest } = answer.headers;
      outgoing.sendDate = false;
      outgoing.writeHead(answer.statusCode ?? 500, { ...rest, ...(isDated ? { date } : {}), ...headersOf() });
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  };
}
