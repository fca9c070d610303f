import { fileURLToPath } from 'node:url';
import { createVitest, type CliOptions, type Vitest } from 'vitest/node';
import { threads } from './threads.ts';

/** The folder of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A vitest that makes the checks of the specs, and nothing else. Whoever opens it closes it by `closeVitest`. */
export function openVitest(
  wish: Pick<CliOptions, 'reporters' | 'fileParallelism' | 'maxWorkers'> = {},
): Promise<Vitest> {
  return createVitest({
    root,
    config: false,
    watch: false,
    reporters: [{}],
    include: ['specs/**/*.spec.ts'],
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
