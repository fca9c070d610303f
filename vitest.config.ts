import { defineConfig } from 'vitest/config';

/** `unit`: the project's own tests. `conformance`: the product; the runner starts it, since it needs a target. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: ['node_modules/**'],
          pool: 'threads',
          isolate: false,
          // Some tests make whole runs of the suite, in processes of their own, and share two cores with each other.
          testTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['specs/**/*.spec.ts'],
          pool: 'threads',
          isolate: false,
          maxWorkers: 2,
          // A check ends by the time-outs of its requests; this one only frees a run from a bug of the suite.
          testTimeout: 30 * 60_000,
        },
      },
      {
        test: { name: 'bench', include: [], benchmark: { include: ['bench/**/*.bench.ts'] }, testTimeout: 120_000 },
      },
    ],
  },
});
