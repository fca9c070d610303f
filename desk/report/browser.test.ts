import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { launched } from '../report.ts';
import { newFolder } from '../../runner/testing/folders.ts';

/** A launcher that does this; it is gone after the test. */
function launcher(script: string): ChildProcess {
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Longer than a test may take: who waits so long fails. */
const longMs = 60_000;
const staying = 'setInterval(() => {}, 1000)';

describe('the launcher of a browser', { timeout: 20_000 }, () => {
  test('that ends with a status other than 0 has failed, and the status is told', async () => {
    await expect(launched(launcher('process.exit(3)'), longMs)).rejects.toThrow(/^node\S* ended with status 3$/);
  });

  test('that is killed has failed, and the signal is told', async () => {
    const child = launcher(staying);
    const ended = launched(child, longMs);
    child.kill('SIGKILL');
    await expect(ended).rejects.toThrow(/ended by SIGKILL$/);
  });

  test('that can’t be started has failed', async () => {
    await expect(launched(spawn(join(newFolder(), 'nothing')), longMs)).rejects.toThrow('ENOENT');
  });

  test('that has failed before it is looked at has failed', async () => {
    const child = launcher('process.exit(1)');
    await once(child, 'exit');
    await expect(launched(child, longMs)).rejects.toThrow('with status 1');
  });

  test('that has ended well before it is looked at is not waited for', async () => {
    const child = launcher('');
    await once(child, 'exit');
    await expect(launched(child, longMs)).resolves.toBeUndefined();
  });

  test('that ends well is waited for no longer', async () => {
    await expect(launched(launcher(''), longMs)).resolves.toBeUndefined();
  });

  test('that stays, as some do until the browser is closed, is not waited for', async () => {
    const child = launcher(staying);
    await expect(launched(child, 1)).resolves.toBeUndefined();
    expect(child.exitCode).toBeNull();
  });
});

test('npm run report -- --open says so in one line where no browser can be started, with status 2', () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'index.html'), '');
  // Without a path no browser is found, nor what looks for one.
  const { status, stdout, stderr } = spawnSync(process.execPath, ['desk/main.ts', 'report', '--open'], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    env: { PATH: newFolder(), NFE_REPORT_DIR: folder },
  });
  expect(stderr).toMatch(/^error: no browser could be started \(.+\): open \/.*index\.html yourself\n$/);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
});
