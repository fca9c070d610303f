import { matchesGlob, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const compiledCode = fileURLToPath(new URL('node_modules/.cache/compiled/', import.meta.url));

/** What makes whole runs, starts processes or browsers, or measures. What takes longest begins first. */
const slow = [
  'runner/whole-runs/hostile-targets.test.ts',
  'runner/whole-runs/npm-test.test.ts',
  'runner/whole-runs/broken-targets.test.ts',
  'runner/whole-runs/foreign-server.test.ts',
  'runner/whole-runs/troubles.test.ts',
  'runner/whole-runs/canaries.test.ts',
  'linear/**/*.test.ts',
  'runner/whole-runs/**/*.test.ts',
  'reports/browser/**/*.test.ts',
  'simulator/webhooks/durability.test.ts',
  'simulator/fuzz.test.ts',
  'simulator/{main,full-disk}.test.ts',
  'simulator/verification/{xmlsec1,hostile}.test.ts',
  'bench/**/*.test.ts',
  'desk/**/*.test.ts',
  'docs/ci/**/*.test.ts',
  'runner/results/{report-folder,shards}.test.ts',
];

/** What takes longest begins first: begun last, it would run on alone when all else has ended. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const at = slow.findIndex((glob) => matchesGlob(relative(import.meta.dirname, moduleId), glob));
      return at < 0 ? slow.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

/** The project's own tests. The specs are the product: the runner starts those, since they need a target. */
export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: ['**/*.test.ts'], exclude: ['node_modules/**', ...slow] } },
      { extends: true, test: { name: 'slow', include: slow } },
    ],
    sequence: { sequencer: LongestFirst },
    pool: 'threads',
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: ['runner/testing/each-file.ts'],
    // Left to itself, vitest uses one core of two. Many tests wait for what they have started: three workers keep two cores at work.
    maxWorkers: 3,
    maxConcurrency: 3,
    // How long a machine with more to do may take until something shows; vitest itself gives it one second.
    expect: { poll: { timeout: 10_000 } },
    // The processes that tests start load the same files over and over: they find them compiled. They speak English, whoever
    // runs the tests.
    env: { NODE_COMPILE_CACHE: compiledCode, LC_ALL: 'C' },
    // Some tests make whole runs of the suite, in processes of their own, and share two cores with each other, and at times
    // with more: a whole run has been seen to take three minutes there.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
