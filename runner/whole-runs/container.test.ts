import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { noEngine } from '../../targets/container.ts';
import { startNpmTest } from '../testing/runs.ts';

/** An image is built, on a machine that has other tests to run. */
const timeoutMs = 5 * 60_000;

/** How the engine is found, as in the environment of the tests. */
const engineSettings = Object.fromEntries(
  ['DOCKER_HOST', 'TESTCONTAINERS_RYUK_DISABLED', 'HOME', 'XDG_RUNTIME_DIR'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

test(
  'the container is built, passes checks, leaves its log without secrets, and is gone',
  { timeout: timeoutMs },
  async (context) => {
    const { status, stderr, everything, results } = await startNpmTest(
      { ...engineSettings, NFE_TARGET: 'container', NFE_NUM_RUNS: '2' },
      // All others `npm run verify` makes.
      '--topic',
      'echo',
    ).ended;
    if (stderr.includes(noEngine) && process.env['VERIFY_CONTAINER'] !== 'required') context.skip(noEngine);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(results?.target).toMatchObject({ kind: 'container', control: true });
    expect(results?.clauses.filter(({ verdict }) => !['passed', 'unobservable'].includes(verdict))).toEqual([]);
    expect(everything).toMatch(/^control token {2}\$NFE_CONTROL_TOKEN$/m);
    expect(everything).toMatch(/^App Secret {5}\$APP_SECRET$/m);
    await expect(fetch(results?.target.baseUrl ?? '')).rejects.toThrow('fetch failed');
  },
);

const ownSocket = '/var/run/docker.sock';

test.skipIf(existsSync(ownSocket))(
  'without an engine the run ends with exit 2 and one line that says what to do',
  async () => {
    const { status, stdout, stderr } = await startNpmTest({
      NFE_TARGET: 'container',
      DOCKER_HOST: 'unix:///nowhere.sock',
    }).ended;
    expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: `error: NFE_TARGET: ${noEngine}\n` });
  },
);
