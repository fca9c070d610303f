import type { Environment } from '../settings/settings.ts';
import type { Surroundings } from './progress.ts';

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
