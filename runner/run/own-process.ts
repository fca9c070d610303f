import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Environment } from '../settings/settings.ts';
import type { Surroundings } from './progress.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const folder = fileURLToPath(new URL('../../node_modules/.cache/compiled/', import.meta.url));

/**
 * Has Node keep what it compiles from now on, in this thread and in those that begin later, for the next process to find: a short
 * run takes a fifth less. Where the environment names a folder, it is kept there; where it can't be, nothing is.
 */
export function keepCompiledCode(): void {
  // Threads ask the environment for themselves.
  process.env['NODE_COMPILE_CACHE'] ??= folder;
  enableCompileCache(process.env['NODE_COMPILE_CACHE']);
}

/**
 * Has the heaps of threads that begin from now on keep little of what is young. A run makes much that lives for one request;
 * left to itself each of its heaps keeps 48 MB for that, and the rest of the heap grows with it. With 4 MB from the first to the
 * last, a seventh more of the whole time goes to collecting it.
 */
export function keepHeapsSmall(): void {
  setFlagsFromString('--max-semi-space-size=8');
}

/** Standard output, clock and end of this process; `environment` says whether a CI system reads along. */
export function ownSurroundings(environment: Environment): Surroundings {
  return {
    output: process.stdout,
    environment,
    nowMs: () => performance.now(),
    every(ms, task) {
      const timer = setInterval(task, ms).unref();
      return () => clearInterval(timer);
    },
    onBreak,
  };
}

/** Runs the task when the process ends, of an error that nobody caught too; signals are the business of the run. */
function onBreak(task: () => void): () => void {
  process.on('exit', task);
  return () => void process.off('exit', task);
}

/** Thrown out of whatever a run was doing when somebody ended it. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`interrupted (${signal})`);
    this.signal = signal;
  }
}

/** Who may end a run before its time. */
export interface Interruption {
  /** The signal that has come, if one has. */
  readonly signal: () => NodeJS.Signals | undefined;
  /** Resolves when one comes. */
  readonly happened: Promise<void>;
  /** Does that work; throws an Interrupted once a signal has come, without it or in the middle of it. */
  readonly guard: <T>(work: () => Promise<T>) => Promise<T>;
  /** Leaves signals to the system again. */
  readonly end: () => void;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Heeds the first signal, which `told` is told of; the second one ends the process as it would have without. */
export function heedSignals(told: (signal: NodeJS.Signals) => void): Interruption {
  let first: NodeJS.Signals | undefined;
  const { promise: happened, resolve } = Promise.withResolvers<void>();
  const end = (): void => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (first !== undefined) {
      end();
      process.kill(process.pid, signal);
      return;
    }
    first = signal;
    resolve();
    told(signal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signal: () => first,
    happened,
    async guard(work) {
      if (first !== undefined) throw new Interrupted(first);
      const broken = happened.then((): never => {
        throw new Interrupted(first ?? 'SIGINT');
      });
      return Promise.race([broken, work()]);
    },
    end,
  };
}

/** How long an interrupted run waits for what it started to stop; what is left ends with the process. */
const hastyStopMs = 2_000;

/** Stops one after the other, but no longer than that where somebody wants an end. */
export async function stopInTime(stops: readonly (() => Promise<void>)[], { signal }: Interruption): Promise<void> {
  const stopped = (async () => {
    for (const stop of stops) await stop();
  })();
  if (signal() === undefined) await stopped;
  else await Promise.race([stopped.catch(() => undefined), sleep(hastyStopMs)]);
}
