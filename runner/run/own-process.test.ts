import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const module = JSON.stringify(join(import.meta.dirname, 'own-process.ts'));

/** Runs a program in which `heedSignals` is at hand, and sends a signal each time it prints "ready"; tells how it ended. */
function ended(program: string, signal: NodeJS.Signals): Promise<readonly [string, number | string | null]> {
  const source = `import { heedSignals, Interrupted, stopInTime } from ${module}; ${program}`;
  const child = spawn('node', ['--input-type=module', '--eval', source]);
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += String(chunk);
    if (String(chunk).endsWith('ready ')) child.kill(signal);
  });
  return new Promise((resolve) => {
    child.on('close', (status, by) => resolve([printed.replaceAll('ready ', ''), by ?? status]));
  });
}

const say = `const say = (text) => process.stdout.write(text + ' ');`;
const hang = `setInterval(() => {}, 1000);`;

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'the first %s breaks work off, and the second ends it',
  async (signal) => {
    const program = `${say} ${hang}
    const { guard } = heedSignals((signal) => say(signal));
    try {
      await guard(() => { say('ready'); return new Promise(() => {}); });
    } catch (error) {
      say(error instanceof Interrupted ? 'interrupted' : 'broken');
    }
    await guard(() => say('never')).catch(() => say('not begun'));
    say('ready');`;
    expect(await ended(program, signal)).toEqual([`${signal} interrupted not begun `, signal]);
  },
);

test('what does not stop in time is left alone where somebody wants an end', async () => {
  const program = `${say} ${hang}
    const interruption = heedSignals(() => {});
    say('ready');
    await interruption.happened;
    await stopInTime([() => new Promise(() => {})], interruption);
    say('over');
    process.exit(2);`;
  expect(await ended(program, 'SIGINT')).toEqual(['over ', 2]);
});
