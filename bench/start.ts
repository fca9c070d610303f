import { spawn } from 'node:child_process';
import { byTurns, type Row } from './measure.ts';

const bare = `require('node:http').createServer().listen(0, '127.0.0.1', () => process.stdout.write('App Secret\\n'))`;

/** How long the simulator takes until it listens, as people start it, beside a server that does nothing. */
export async function startRows(): Promise<readonly Row[]> {
  const { one, other } = await byTurns(
    5,
    () => msUntilListening(['simulator/main.ts', '--port', '0']),
    () => msUntilListening(['-e', bare]),
  );
  const started = { measured: one, unit: 'ms' };
  return [
    {
      what: 'start-up: the simulator, from the second time on',
      ...started,
      limit: 300,
      ratio: one / 300,
      goal: { atMost: 1 },
    },
    { what: 'start-up: against a bare node:http server', ...started, limit: other, ratio: one / other },
  ];
}

function msUntilListening(words: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let [printed, ms] = ['', Number.NaN];
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
      if (!printed.includes('App Secret') || !Number.isNaN(ms)) return;
      ms = performance.now() - started;
      // By signal, so that what was compiled is kept.
      child.kill('SIGTERM');
    });
    child.once('error', reject);
    child.once('close', () => resolve(ms));
  });
}
