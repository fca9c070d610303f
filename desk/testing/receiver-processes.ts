import { join } from 'node:path';
import { afterAll } from 'vitest';
import { startProcess, type TestProcess } from '../../runner/testing/processes.ts';
import { childEnvironment } from '../../runner/testing/warm.ts';

/** Starts a receiver in a working folder; `prefix` are shell commands that run before it in its process. */
type Start = (cwd: string, flags?: string[], settings?: Record<string, string>, prefix?: string) => TestProcess;

/** Starts receivers for the tests of one file, which end behind them. */
export function receiverProcesses(): Start {
  const running = new Set<TestProcess>();
  afterAll(() => Promise.all([...running].map((run) => run.end('SIGKILL'))));
  return (...parameters) => {
    const run = startReceiver(...parameters);
    running.add(run);
    void run.ended.then(() => running.delete(run));
    return run;
  };
}

function startReceiver(...[cwd, flags = [], settings = {}, prefix = '']: Parameters<Start>): TestProcess {
  const shell = [
    '-c',
    `${prefix} exec "$0" "$@"`,
    process.execPath,
    join(import.meta.dirname, '../main.ts'),
    'receiver',
    ...flags,
  ];
  return startProcess('sh', shell, { cwd, env: { ...childEnvironment(), ...settings } });
}

/** The address that a receiver prints, as this machine reaches it. */
export async function addressOf(run: TestProcess): Promise<string> {
  const output = await run.printed(/^stops /m);
  const [address, origin] = ['address', 'listens at'].map(
    (name) => new RegExp(`^${RegExp.escape(name)} +(\\S+)$`, 'm').exec(output)?.[1],
  );
  return (origin ?? '') + new URL(address ?? '').pathname;
}
