import { fileURLToPath } from 'node:url';
import {
  createVitest,
  type CliOptions,
  type Vitest,
  type PoolOptions,
  type PoolRunnerInitializer,
  type PoolWorker,
  type WorkerRequest,
} from 'vitest/node';
import { Worker } from 'node:worker_threads';

/** The folder of the project. */
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The file that declares the checks of all spec files. */
export const together = 'specs/together.ts';

/** So many checks are under way where those of all files are made together: most wait for an invoice. How many requests are, NFE_BURST says. */
export const mostTogether = 12;

/** A vitest that makes the checks of the specs, and nothing else. Whoever opens it closes it by `closeVitest`. */
export function openVitest(
  wish: Pick<CliOptions, 'reporters' | 'fileParallelism' | 'maxWorkers' | 'maxConcurrency'> = {},
): Promise<Vitest> {
  return createVitest({
    root,
    config: false,
    watch: false,
    reporters: [{}],
    include: ['specs/**/*.spec.ts', together],
    // Node runs the files as they stand: vitest needs not be asked for each of them.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: threads.pool,
    isolate: false,
    maxWorkers: 2,
    // A check ends by the time-outs of its requests; this one only frees a run from a bug of the suite.
    testTimeout: 30 * 60_000,
    ...wish,
  });
}

/** Closes it, and leaves the exit status of the process to others. */
export async function closeVitest(vitest: Vitest): Promise<void> {
  await vitest.close();
  await threads.end();
  process.exitCode = undefined;
}

const program = fileURLToPath(new URL('thread.ts', import.meta.url));

/** Threads that checks are made in. What a thread loads takes longer than many a check, so that one that has ended its work is kept for more. */
class Threads {
  readonly #idle: Worker[] = [];
  /** Whether threads outlive a run, for the next one of the same process. */
  #isLasting = false;

  /** What vitest is to make its threads by. */
  readonly pool: PoolRunnerInitializer = {
    name: 'lasting-threads',
    createPoolWorker: (options) => new LastingThread(options, this.#idle),
  };

  /** Has threads wait for the next run of this process. */
  keep(): void {
    this.#isLasting = true;
  }

  /** Ends those that wait for work, unless they are to be kept. */
  async end(): Promise<void> {
    if (!this.#isLasting) await Promise.all(this.#idle.splice(0).map((thread) => thread.terminate()));
  }
}

/** A thread as vitest asks for it: one that waits, or else a new one. */
class LastingThread implements PoolWorker {
  readonly name = 'lasting-threads';
  readonly #options: PoolOptions;
  readonly #idle: Worker[];
  readonly #listeners: [string, (...args: unknown[]) => void][] = [];
  #thread: Worker | undefined;
  #isAtRest = false;

  constructor(options: PoolOptions, idle: Worker[]) {
    [this.#options, this.#idle] = [options, idle];
  }

  on(event: string, listener: (...args: unknown[]) => void): void {
    this.#listeners.push([event, listener]);
    this.#thread?.on(event, listener);
  }

  off(event: string, listener: (...args: unknown[]) => void): void {
    this.#thread?.off(event, listener);
  }

  send(message: WorkerRequest): void {
    this.#thread?.postMessage(message);
  }

  deserialize(data: unknown): unknown {
    return data;
  }

  start(): Promise<void> {
    this.#thread ??= this.#idle.pop() ?? this.#newThread();
    this.#thread.ref();
    this.on('message', (message) => {
      if (isStopped(message)) this.#isAtRest = true;
    });
    return Promise.resolve();
  }

  #newThread(): Worker {
    const { env, execArgv } = this.#options;
    const thread = new Worker(program, { env, execArgv });
    thread.once('exit', () => {
      const at = this.#idle.indexOf(thread);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    return thread;
  }

  /** Keeps the thread for more work; ends one that may still be at work. */
  async stop(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    if (!thread) return;
    for (const [event, listener] of this.#listeners.splice(0)) thread.off(event, listener);
    if (!this.#isAtRest) return void (await thread.terminate());
    thread.unref();
    this.#idle.push(thread);
  }
}

function isStopped(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'stopped';
}

/** Those of this process. */
export const threads = new Threads();
