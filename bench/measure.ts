import { ledgerMemory } from '../targets/traffic/ledger.ts';
import type { TargetAddress, TracePlace } from '../targets/address.ts';
import { openTarget, type Target } from '../targets/target.ts';
import { recordDelivery } from '../specs/kit/deliveries.ts';
import { openRecorder, unwritten, type Recorder } from '../specs/kit/recorder.ts';
import { trialOf, type Trial } from '../specs/kit/trial.ts';
import { newRecord, startAnew } from '../specs/kit/trial-record.ts';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Asked, Told } from './server.ts';
import { embeddedAddress } from '../targets/container.ts';

/** One line of the table: what was measured, against a limit of the same run. */
export interface Row {
  readonly what: string;
  /** In the unit of the row, as is the limit. */
  readonly measured: number;
  /** What nobody can do better than; absent where the goal is a number by itself. */
  readonly limit?: number;
  readonly unit: string;
  /** What the goal is about: measured against the limit, or what was measured where there is none. */
  readonly ratio: number;
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number };
}

/** Whether a row reaches its goal; `undefined` where it has none. */
export function isReached({ ratio, goal }: Row): boolean | undefined {
  if (!goal) return undefined;
  return 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = low] = [
    sorted[Math.ceil(sorted.length / 2) - 1],
    sorted[Math.floor(sorted.length / 2)],
  ];
  return (low + high) / 2;
}

/** Measures the two by turns, so that what else the machine does falls on both, and gives the medians, and that of the ratios. */
export async function byTurns(
  pairs: number,
  one: () => Promise<number> | number,
  other: () => Promise<number> | number,
): Promise<{ readonly one: number; readonly other: number; readonly ratio: number }> {
  const seen: [number, number][] = [];
  // Once unseen: by then the code is compiled.
  await one();
  await other();
  for (let pair = 0; pair < pairs; pair++) seen.push([await one(), await other()]);
  return {
    one: median(seen.map(([first]) => first)),
    other: median(seen.map(([, second]) => second)),
    ratio: median(seen.map(([first, second]) => first / second)),
  };
}

/** Processor time of this process for that work, in milliseconds: however busy the machine is, it is the same. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The rows as a table. */
export function tableText(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    `${short(row.measured)} ${row.unit}`,
    row.limit === undefined ? '' : `${short(row.limit)} ${row.unit}`,
    short(row.ratio),
    goalText(row),
  ]);
  const all = [['', 'measured', 'limit', 'ratio', 'goal'], ...cells];
  const widths = all[0]?.map((_, at) => Math.max(...all.map((line) => line[at]?.length ?? 0))) ?? [];
  const lines = all.map((line) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))),
  );
  return lines.map((line) => line.join('  ').trimEnd()).join('\n');
}

function goalText(row: Row): string {
  if (!row.goal) return '';
  const bound = 'atLeast' in row.goal ? `>= ${row.goal.atLeast}` : `<= ${row.goal.atMost}`;
  return `${bound} ${isReached(row) ? 'reached' : 'MISSED'}`;
}

function short(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

/** A trial outside of any check: it generates, signs, sends, traces and judges as a check does. */
export interface OpenTrial {
  readonly t: Trial;
  readonly target: Target;
  /** Forgets the case so far, as a check does between two. */
  readonly startAnew: () => void;
  readonly close: () => Promise<void>;
}

/** A simulator, as a check knows it. */
export function addressOf({ baseUrl, controlToken }: Pick<Served, 'baseUrl' | 'controlToken'>): TargetAddress {
  const profile = { folder: 'profiles/default', files: [] };
  return embeddedAddress(baseUrl, { url: baseUrl, token: controlToken }, { profile });
}

/** Opens a trial at a simulator; what it does is written to that place, where there is one. */
export function openTrial(at: TargetAddress, name = 'bench', place?: TracePlace): OpenTrial {
  const target = openTarget(
    at,
    { memory: ledgerMemory(), budget: 0 },
    {
      delivery: (arrival, answer) => recordDelivery(record, target, arrival, answer),
      steering: (done) => recorder.steering(done),
    },
  );
  // Nothing is hidden: a simulator's secrets are nobody's.
  const asItIs = (text: string): string => text;
  const recorder: Recorder = place
    ? openRecorder(`${name} echo.envelope: ${name}`, place, { veil: () => ({ mask: asItIs }), mask: () => asItIs })
    : unwritten();
  const record = newRecord(false, recorder);
  return {
    t: trialOf(target, record),
    target,
    startAnew() {
      startAnew(record);
      recorder.beginCase();
    },
    async close() {
      await target.close();
      recorder.flush();
    },
  };
}

/** A server of a benchmark, in a process of its own. */
export interface Served {
  readonly baseUrl: string;
  readonly port: number;
  readonly controlToken: string;
  /** What it has used so far. */
  readonly usage: () => Promise<Told>;
  /** Has a bare server answer so many bytes from now on. */
  readonly answers: (answerBytes: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** As `npm run simulator` has them. */
const simulatorFlags = ['--max-semi-space-size=16'];

/** Starts the simulator, on a data file or in memory, or a bare server. */
export async function serve(kind: 'simulator' | 'bare', dataFile?: string): Promise<Served> {
  const words = dataFile === undefined ? [kind] : [kind, dataFile];
  const execArgv = [...process.execArgv, ...(kind === 'simulator' ? simulatorFlags : [])];
  const child = fork(new URL('server.ts', import.meta.url), words, { execArgv });
  const { baseUrl, controlToken } = await told(child);
  const ask = (asked: Asked): Promise<Told> => {
    child.send(asked);
    return told(child);
  };
  return {
    baseUrl,
    controlToken,
    port: Number(new URL(baseUrl).port),
    usage: () => ask('usage'),
    answers: async (answerBytes) => void (await ask({ answerBytes })),
    async stop() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

function told(child: ChildProcess): Promise<Told> {
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error('a server of the benchmark has ended'));
    child.once('exit', gone);
    child.once('message', (message: unknown) => {
      child.off('exit', gone);
      if (isTold(message)) resolve(message);
    });
  });
}

function isTold(message: unknown): message is Told {
  return typeof message === 'object' && message !== null && 'cpuMs' in message;
}
