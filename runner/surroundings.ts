import type { Environment } from './settings.ts';
import type { Surroundings } from './progress.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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

/** Runs the task when a signal or an error ends the process; a signal then ends it as it would have without. */
function onBreak(task: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    task();
    stop();
    process.kill(process.pid, signal);
  };
  const stop = (): void => {
    for (const signal of signals) process.off(signal, onSignal);
    process.off('exit', task);
  };
  for (const signal of signals) process.on(signal, onSignal);
  process.on('exit', task);
  return stop;
}
