import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { childEnvironment } from '../../runner/testing/warm.ts';

interface Ended {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

/** A receiver in a process of its own. */
interface ReceiverProcess {
  /** Resolves with what was printed by then, once it matches. */
  printed(pattern: RegExp): Promise<string>;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ended>;
  readonly ended: Promise<Ended>;
  /** Nobody reads its lines any more. */
  stopReading(): void;
}

/** Starts a receiver in a working folder; `prefix` are shell commands that run before it in its process. */
type Start = (cwd: string, flags?: string[], settings?: Record<string, string>, prefix?: string) => ReceiverProcess;

/** Starts receivers for the tests of one file, which end behind them. */
export function receiverProcesses(): Start {
  const running = new Set<ReceiverProcess>();
  afterAll(() => Promise.all([...running].map((run) => run.end('SIGKILL'))));
  return (...parameters) => {
    const run = startProcess(...parameters);
    running.add(run);
    void run.ended.then(() => running.delete(run));
    return run;
  };
}

function startProcess(...[cwd, flags = [], settings = {}, prefix = '']: Parameters<Start>): ReceiverProcess {
  const shell = [
    '-c',
    `${prefix} exec "$0" "$@"`,
    process.execPath,
    join(import.meta.dirname, '../main.ts'),
    'receiver',
    ...flags,
  ];
  const child = spawn('sh', shell, { cwd, env: { ...childEnvironment(), ...settings } });
  let [output, errors] = ['', ''];
  const watchers = new Set<() => void>();
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    for (const watcher of watchers) watcher();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (status) => resolve({ status, output, errors }));
  });
  const printed = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const watcher = (): void => {
        if (pattern.test(output)) resolve(output);
      };
      watchers.add(watcher);
      watcher();
      void ended.then(() => reject(new Error(`it ended without printing ${String(pattern)}: ${output}${errors}`)));
    });
  return {
    printed,
    ended,
    end(signal) {
      child.kill(signal);
      return ended;
    },
    stopReading: () => child.stdout.destroy(),
  };
}

/** The address that a receiver prints, as this machine reaches it. */
export async function addressOf(run: ReceiverProcess): Promise<string> {
  const output = await run.printed(/^stops /m);
  const [address, origin] = ['address', 'listens at'].map(
    (name) => new RegExp(`^${RegExp.escape(name)} +(\\S+)$`, 'm').exec(output)?.[1],
  );
  return (origin ?? '') + new URL(address ?? '').pathname;
}
