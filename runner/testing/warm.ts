import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Order, EndedProcess } from './warm-process.ts';

/**
 * What a process that a test starts gets of our own environment: where the programs are, and where compiled code is kept,
 * which saves a third of what a run computes before its first check.
 */
export function childEnvironment(): Record<string, string | undefined> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}

/** Processes that have run a command and wait for another one, with how many they have run. */
const idle: { readonly child: ChildProcess; readonly runs: number }[] = [];

/** A process that has run so many commands is replaced, before what they have left adds up. */
const mostRuns = 20;

/** Variables that node reads when it starts, and never again. */
const ownVariables = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'];

/**
 * Runs a command of runner/ in a process that may have run others before: all that it imports is loaded there, which takes
 * longer than most commands do. It is ended after that time; then it has no status. For tests that are not about the process
 * itself: its end, signals, or what it takes to start.
 */
export async function warmly(order: Order, { mostMs = 280_000 } = {}): Promise<EndedProcess> {
  const isOwn = ownVariables.some((name) => order.env[name] !== undefined);
  const { child, runs } = (isOwn ? undefined : idle.pop()) ?? { child: started(isOwn ? order.env : {}), runs: 0 };
  child.ref();
  child.channel?.ref();
  const told = await answerOf(child, order, mostMs);
  if (isOwn || runs + 1 >= mostRuns || !child.connected) {
    if (child.connected) child.disconnect();
    return told;
  }
  child.unref();
  child.channel?.unref();
  idle.push({ child, runs: runs + 1 });
  return told;
}

function started(more: Order['env']): ChildProcess {
  return fork(join(import.meta.dirname, 'warm-process.ts'), {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...childEnvironment(), ...more },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

function answerOf(child: ChildProcess, order: Order, mostMs: number): Promise<EndedProcess> {
  // What node itself says when it breaks down; what the command prints comes with its end.
  let stderr = '';
  const { promise, resolve } = Promise.withResolvers<EndedProcess>();
  const onStderr = (chunk: Buffer): void => void (stderr += String(chunk));
  const onExit = (status: number | null): void => resolve({ status, stdout: '', stderr, peakMegabytes: undefined });
  const timer = setTimeout(() => child.kill('SIGKILL'), mostMs);
  child.stderr?.on('data', onStderr);
  child.once('close', onExit);
  child.once('message', (told: EndedProcess) => resolve(told));
  child.send(order);
  return promise.finally(() => {
    clearTimeout(timer);
    child.removeAllListeners('message');
    child.off('close', onExit);
    child.stderr?.off('data', onStderr);
  });
}
