import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Asked, Told } from './server.ts';

/** A server of a benchmark, in a process of its own. */
export interface Served {
  readonly baseUrl: string;
  readonly port: number;
  readonly controlToken: string;
  /** What it has used so far. */
  readonly usage: () => Promise<Told>;
  /** Has a bare server answer so many bytes from now on. */
  readonly answers: (answerBytes: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** As `npm run simulator` has them. */
const simulatorFlags = ['--max-semi-space-size=16'];

/** Starts the simulator, on a data file or in memory, or a bare server. */
export async function serve(kind: 'simulator' | 'bare', dataFile?: string): Promise<Served> {
  const words = dataFile === undefined ? [kind] : [kind, dataFile];
  const execArgv = [...process.execArgv, ...(kind === 'simulator' ? simulatorFlags : [])];
  const child = fork(new URL('server.ts', import.meta.url), words, { execArgv });
  const { baseUrl, controlToken } = await told(child);
  const ask = (asked: Asked): Promise<Told> => {
    child.send(asked);
    return told(child);
  };
  return {
    baseUrl,
    controlToken,
    port: Number(new URL(baseUrl).port),
    usage: () => ask('usage'),
    answers: async (answerBytes) => void (await ask({ answerBytes })),
    async stop() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

function told(child: ChildProcess): Promise<Told> {
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error('a server of the benchmark has ended'));
    child.once('exit', gone);
    child.once('message', (message: unknown) => {
      child.off('exit', gone);
      if (isTold(message)) resolve(message);
    });
  });
}

function isTold(message: unknown): message is Told {
  return typeof message === 'object' && message !== null && 'cpuMs' in message;
}
