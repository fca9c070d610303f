import { spawn } from 'node:child_process';
import { controlCall, textIn, type Running } from './running.ts';

/** A simulator in a process of its own. */
export interface Spawned {
  readonly running: Running;
  /** Kills it, as a power cut would, and waits until it is gone. */
  readonly kill: () => Promise<void>;
}

const controlToken = 'T0ken-of-the-test';
const main = new URL('../main.ts', import.meta.url).pathname;

/** Starts a simulator on that data file, and waits until it listens. `cacheFolder` speeds up the starts after the first. */
export async function spawnSimulator(dataFile: string, cacheFolder: string): Promise<Spawned> {
  const flags = ['--port', '0', '--data', dataFile, '--control-token', controlToken];
  const child = spawn(process.execPath, [main, ...flags], {
    env: { ...process.env, NODE_COMPILE_CACHE: cacheFolder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const baseUrl = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      const [, found] = /^base URL +(\S+)$/m.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    void gone.then(() => reject(new Error(`the simulator ended at once: ${output}`)));
  });
  const running: Running = {
    baseUrl,
    control: (method, path, body) => controlCall({ baseUrl, controlToken }, method, path, body),
    async application(wish = {}) {
      const { json } = await running.control('POST', '/applications', wish);
      return { appKey: textIn(json, 'appKey'), appName: textIn(json, 'appName'), appSecret: textIn(json, 'appSecret') };
    },
  };
  return {
    running,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
