import fc from 'fast-check';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { send } from '../client/send.ts';
import { signedRequest, type SignedRequest } from '../client/sign.ts';
import type { Call } from '../contract/request.ts';
import { accentedCall } from '../generators/calls.ts';
import { judgeLines } from '../judge/tally.ts';
import { readTrace } from '../runner/judging/trace-file.ts';
import { byTurns, cpuMs, type Row, addressOf, openTrial, serve } from './measure.ts';

/** The suite itself: its stack against undici alone, a whole run with its shares, and its judge. */
export async function suiteRows(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'nfe-bench-'));
  try {
    return [await stackRow(folder), ...(await runRows(folder)), await judgeRow(folder)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const requests = 640;
const abreast = 32;
const pairs = 5;

/** Requests in a second of this process, through all that a check does with them, against undici that sends the same bytes. */
async function stackRow(folder: string): Promise<Row> {
  const simulator = await serve('simulator');
  const agent = new Agent();
  const { t, startAnew, close } = openTrial(addressOf(simulator), 'stack', { directory: folder, key: 'bench' });
  const caller = await t.caller();
  let turn = 0;
  const drawn = (): readonly Call[] => fc.sample(accentedCall(), { numRuns: requests, seed: (turn += 1) });
  const { one, other, ratio } = await byTurns(
    pairs,
    async () => {
      const ms = await cpuMs(() =>
        eachOf(drawn(), async (call) => {
          await t.accepts(caller, call);
          startAnew();
        }),
      );
      return (1000 * requests) / ms;
    },
    async () => {
      const timestamp = String(caller.now());
      const signed = drawn().map((call) => signedRequest({ call, token: caller.appSecret, timestamp }));
      const ms = await cpuMs(() => eachOf(signed, (asked) => sentBy(agent, simulator.baseUrl, asked)));
      return (1000 * requests) / ms;
    },
  );
  await Promise.all([close(), agent.close()]);
  await simulator.stop();
  return {
    what: 'suite: generate, sign, send, trace, judge; against undici',
    measured: one,
    limit: other,
    unit: '/s',
    ratio,
    goal: { atLeast: 0.6 },
  };
}

async function sentBy(dispatcher: Agent, baseUrl: string, asked: SignedRequest): Promise<void> {
  const { status } = await send(asked, { baseUrl, dispatcher });
  if (status !== 200) throw new Error(`the simulator answers ${status}`);
}

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const one = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: abreast }, one));
}

/** Whose time it is, by the folder that the innermost code of the project lies in. */
const shares: readonly (readonly [name: string, folders: RegExp])[] = [
  ['generating', /^(generators|schemas)\/|fast-check|faker/],
  ['judging', /^(judge|trace)\//],
  ['reporting', /^(reports|runner)\//],
  ['sending', /^(specs|client|targets|contract)\/|undici/],
  ['the simulator', /^simulator\//],
];

/** A whole run of `npm test` against the embedded simulator: how long it takes, and whose the time of its threads is. */
async function runRows(folder: string): Promise<readonly Row[]> {
  const profiles = join(folder, 'profiles');
  const words = ['--cpu-prof', `--cpu-prof-dir=${profiles}`, 'desk/main.ts', 'test', '--seed', '1729'];
  const env = { ...process.env, NFE_TARGET: 'embedded', NFE_BASE_URL: '', NFE_REPORT_DIR: folder };
  const started = performance.now();
  const child = spawn(process.execPath, words, { env, stdio: 'ignore' });
  const status = await new Promise((resolve) => child.once('close', resolve));
  if (status !== 0) throw new Error(`npm test ended with ${String(status)}`);
  const seconds = (performance.now() - started) / 1000;
  const times = timesIn(profiles);
  const whole = [...times.values()].reduce((sum, each) => sum + each, 0);
  const named = ['waiting', ...shares.map(([name]) => name), 'all else'];
  return [
    {
      what: 'suite: a whole run, profiled',
      measured: seconds,
      limit: 10,
      unit: 's',
      ratio: seconds / 10,
      goal: { atMost: 1 },
    },
    ...named.map((name): Row => {
      const share = (times.get(name) ?? 0) / whole;
      return { what: `  of its threads, ${name}`, measured: 100 * share, unit: '%', ratio: share };
    }),
  ];
}

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The time that the threads of a run spent, by whose it is. */
function timesIn(folder: string): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  const parse: (text: string) => Profile = JSON.parse;
  for (const file of readdirSync(folder)) {
    const { nodes, samples, timeDeltas } = parse(readFileSync(join(folder, file), 'utf8'));
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const names = new Map<number, string>();
    const root = new URL('../', import.meta.url).href;
    const name = (id: number, above: string): void => {
      const node = byId.get(id);
      if (!node) return;
      const { functionName, url } = node.callFrame;
      const isIdle = functionName === '(idle)';
      const own = shares.find(([, folders]) => folders.test(url.replace(root, '')))?.[0] ?? above;
      names.set(id, isIdle ? 'waiting' : own);
      for (const child of node.children ?? []) name(child, own);
    };
    name(nodes[0]?.id ?? 0, 'all else');
    samples.forEach((id, at) => {
      const whose = names.get(id) ?? 'all else';
      times.set(whose, (times.get(whose) ?? 0) + (timeDeltas[at] ?? 0));
    });
  }
  return times;
}

const exchangesJudged = 24_000;

/** The judge over the trace of that run, reckoned for 24,000 exchanges. */
async function judgeRow(folder: string): Promise<Row> {
  const { lines } = readTrace(join(folder, 'trace.ndjson.gz'));
  const calls = lines.filter(({ kind }) => kind === 'exchange' || kind === 'delivery').length;
  const ms = await cpuMs(() => judgeLines(lines, () => false));
  const seconds = ((ms / 1000) * exchangesJudged) / calls;
  return {
    what: 'suite: the judge, 24,000 exchanges',
    measured: seconds,
    limit: 2,
    unit: 's',
    ratio: seconds / 2,
    goal: { atMost: 1 },
  };
}
