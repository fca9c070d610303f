import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const module = JSON.stringify(join(import.meta.dirname, 'surroundings.ts'));

/** Runs a program in which `onBreak` is at hand; tells what it printed and how it ended. */
function ended(program: string): Promise<readonly [string, number | string | null]> {
  const source = `import { ownSurroundings } from ${module}; const { onBreak } = ownSurroundings({}); ${program}`;
  const child = spawn('node', ['--input-type=module', '--eval', source]);
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += String(chunk)));
  return new Promise((resolve) => {
    child.on('close', (status, by) => resolve([printed, by ?? status]));
  });
}

const cleared = `const stop = onBreak(() => process.stdout.write('cleared '));`;

test('an error that nobody catches is answered too', async () => {
  expect(await ended(`${cleared} setTimeout(() => { throw new Error('broken'); });`)).toEqual(['cleared ', 1]);
});

test('what was called off is not done', async () => {
  expect(await ended(`${cleared} stop();`)).toEqual(['', 0]);
});
