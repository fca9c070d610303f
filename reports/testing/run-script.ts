import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EndedChild, startProcess } from '../../runner/testing/processes.ts';

/** Saves a script as `repeat.mjs` and runs it with these variables and no others. */
export async function runScript(script: string, environment: Readonly<Record<string, string>>): Promise<EndedChild> {
  const folder = await mkdtemp(join(tmpdir(), 'nfe-repeat-'));
  const file = join(folder, 'repeat.mjs');
  await writeFile(file, script);
  const ended = await startProcess(process.execPath, [file], { env: environment, cwd: folder }).ended;
  await rm(folder, { recursive: true });
  return ended;
}
