import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const module = JSON.stringify(join(import.meta.dirname, 'surroundings.ts'));

/** Runs a program in which `onBreak` is at hand, and sends the signal once it prints "ready"; tells how it ended. */
function ended(program: string, signal: NodeJS.Signals = 'SIGINT'): Promise<readonly [string, number | string | null]> {
  const source = `import { ownSurroundings } from ${module}; const { onBreak } = ownSurroundings({}); ${program}`;
  const child = spawn('node', ['--input-type=module', '--eval', source]);
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += String(chunk);
    if (printed.startsWith('ready')) child.kill(signal);
  });
  return new Promise((resolve) => {
    child.on('close', (status, by) => resolve([printed.replace('ready ', ''), by ?? status]));
  });
}

const cleared = `const stop = onBreak(() => process.stdout.write('cleared '));`;
const ready = `setInterval(() => {}, 1000); process.stdout.write('ready ');`;

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s is answered, and still ends the process', async (signal) => {
  expect(await ended(cleared + ready, signal)).toEqual(['cleared ', signal]);
});

test('an error that nobody catches is answered too', async () => {
  expect(await ended(`${cleared} setTimeout(() => { throw new Error('broken'); });`)).toEqual(['cleared ', 1]);
});

test('what was called off is not done, at a signal as little as at the end', async () => {
  expect(await ended(`${cleared} stop(); ${ready}`)).toEqual(['', 'SIGINT']);
  expect(await ended(`${cleared} stop();`)).toEqual(['', 0]);
});
