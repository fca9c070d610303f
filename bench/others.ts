import { once } from 'node:events';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { echoCall, pathCall } from '../generators/calls.ts';
import { issueSettled, issuerOf } from '../specs/kit/life-cycle.ts';
import { load, signedBytes } from './http-load.ts';
import { byTurns, type Row, addressOf, openTrial, serve } from './measure.ts';

const echoPath = '/openapi/demo/echo';
const queryPath = '/openapi/v2/empresas/{empresaId}/nf-e/{nfeId}';
const connections = 32;
const pairs = 3;

interface Answers {
  readonly echo: unknown;
  readonly query: unknown;
}

/** Another server that answers what it is told, by the package that holds it. */
interface Other {
  readonly name: string;
  readonly packageName: string;
  /** Writes what it needs into a folder; gives the words that start it. */
  readonly words: (folder: string, port: number, answers: Answers) => readonly string[];
}

const others: readonly Other[] = [
  {
    name: 'Prism',
    packageName: '@stoplight/prism-cli',
    words: (folder, port, answers) => ['prism', 'mock', '-p', String(port), openApi(folder, answers)],
  },
  {
    name: 'Mockoon',
    packageName: '@mockoon/cli',
    words: (folder, port, answers) => {
      const options = ['--port', String(port), '--disable-log-to-file'];
      return ['mockoon-cli', 'start', '--data', openApi(folder, answers), ...options];
    },
  },
  {
    name: 'WireMock',
    packageName: 'wiremock',
    words(folder, port, { echo, query }) {
      mkdirSync(join(folder, 'mappings'), { recursive: true });
      const mappings = [
        { request: { method: 'POST', urlPath: echoPath }, response: { status: 200, jsonBody: echo } },
        {
          request: { method: 'GET', urlPathPattern: queryPath.replaceAll(/\{\w+\}/g, '[^/]+') },
          response: { status: 200, jsonBody: query },
        },
      ];
      writeFileSync(join(folder, 'mappings', 'all.json'), JSON.stringify({ mappings }));
      return ['wiremock', '--port', String(port), '--root-dir', folder, '--no-request-journal', '--disable-banner'];
    },
  },
];

/** The least OpenAPI document of the echo and the query. */
function openApi(folder: string, { echo, query }: Answers): string {
  const answer = (example: unknown) => ({
    responses: { 200: { description: 'ok', content: { 'application/json': { schema: {}, example } } } },
  });
  const parameters = ['empresaId', 'nfeId'].map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const requestBody = { content: { 'application/json': { schema: {} } } };
  const document = {
    openapi: '3.0.3',
    info: { title: 'bench', version: '1' },
    paths: {
      [echoPath]: { post: { requestBody, ...answer(echo) } },
      [queryPath]: { get: { parameters, ...answer(query) } },
    },
  };
  const path = join(folder, 'openapi.json');
  writeFileSync(path, JSON.stringify(document));
  return path;
}

/**
 * What the simulator answers in a second, signed and from its state, against servers that answer the same from a file. They are
 * installed into a folder that goes away again; one that can't be, or that does not start, has a line that says so.
 */
export async function otherRows(say: (line: string) => void): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'nfe-bench-'));
  const simulator = await serve('simulator');
  const trial = openTrial(addressOf(simulator));
  try {
    const issuer = await issuerOf(trial.t);
    const { caller, empresaId } = issuer;
    const { nfeId, exchange } = await issueSettled(trial.t, issuer);
    const asked = { echo: echoCall('x'.repeat(1000)), query: pathCall('nfe-query', { empresaId, nfeId }) };
    const answered = await trial.t.accepts(caller, asked.echo);
    const [echo, query] = [answered, exchange].map((one): unknown => JSON.parse(String(one.response?.rawBody)));
    const rows: Row[] = [];
    for (const other of others) {
      const started = await start(other, folder, { echo, query });
      if (typeof started === 'string') {
        say(`${other.name}: ${started}`);
        continue;
      }
      try {
        for (const kind of ['echo', 'query'] as const) {
          const bytes = (): Buffer => signedBytes(caller, asked[kind]);
          const its = perSecond(started.port, bytes);
          const found = await byTurns(pairs, perSecond(simulator.port, bytes), its);
          const what = `others: ${kind}, the simulator against ${other.name}`;
          const { one: measured, other: limit, ratio } = found;
          rows.push({ what, measured, limit, unit: '/s', ratio, goal: { atLeast: 1 } });
        }
      } finally {
        started.stop();
      }
    }
    return rows;
  } finally {
    await trial.close();
    await simulator.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Answers in a second by the clock on the wall: what others use of the processor they do not tell. */
function perSecond(port: number, next: () => Buffer): () => Promise<number> {
  return async () => {
    const started = performance.now();
    const { statuses, tookMs } = await load(port, connections, next, { atMs: started + 2_000 });
    if (statuses.get(200) !== tookMs.length) throw new Error(`answered ${JSON.stringify([...statuses])}`);
    return (1000 * tookMs.length) / (performance.now() - started);
  };
}

async function start(
  { name, packageName, words }: Other,
  parent: string,
  answers: Answers,
): Promise<{ readonly port: number; readonly stop: () => void } | string> {
  const folder = join(parent, name);
  mkdirSync(folder);
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
  const { status } = spawnSync('npm', ['install', ...options, packageName], { stdio: 'ignore', cwd: folder });
  if (status !== 0) return `npm could not install ${packageName}`;
  const port = await freePort();
  const [program = '', ...rest] = words(folder, port, answers);
  const child = spawn(join(folder, 'node_modules', '.bin', program), rest, {
    cwd: folder,
    stdio: 'ignore',
    detached: true,
  });
  const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null;
  child.on('error', () => undefined);
  // WireMock is a process of a process.
  const stop = (): void => void (child.pid !== undefined && !isGone() && process.kill(-child.pid));
  for (let looks = 0; looks < 300 && !isGone(); looks++) {
    if (await isListening(port)) return { port, stop };
    await sleep(100);
  }
  stop();
  return 'did not start';
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await once(server.close(), 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
