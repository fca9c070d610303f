import { parentPort } from 'node:worker_threads';
import { init, runBaseTests, setupEnvironment } from 'vitest/worker';

// What a thread of `Threads` runs: as a thread of vitest, but it may be started again after it was stopped.

const port = parentPort;
if (!port) throw new Error('this is to be run in a thread');

type Setup = Parameters<typeof setupEnvironment>[0];

/**
 * Nothing asks vitest which module imports which, and telling it of each takes as long as a short check: nobody is told. Vitest
 * changes how modules are loaded once, however often the thread is started.
 */
let isSetUp: Promise<unknown> | undefined;
const setupOnce = (setup: Setup): Promise<() => Promise<unknown>> => {
  const rpc = new Proxy(setup.rpc, {
    get: (of, name): unknown => (name === 'ensureModuleGraphEntry' ? () => Promise.resolve() : Reflect.get(of, name)),
  });
  isSetUp ??= setupEnvironment({ ...setup, rpc });
  return isSetUp.then(() => () => Promise.resolve());
};

const listeners: ((message: unknown) => void)[] = [];

init({
  post: (message) => port.postMessage(message),
  on(listener) {
    listeners.push(listener);
    port.on('message', listener);
  },
  off: (listener) => void port.off('message', listener),
  // The first listener waits for the next start; the others belong to the one that has ended.
  teardown() {
    for (const listener of listeners.splice(1)) port.off('message', listener);
  },
  setup: setupOnce,
  runTests: (state, traces) => runBaseTests('run', state, traces),
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
});
