import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** How a script ended, and all that it printed. */
export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Saves a script as `repeat.mjs` and runs it with these variables and no others. */
export async function runScript(script: string, environment: Readonly<Record<string, string>>): Promise<Ran> {
  const folder = await mkdtemp(join(tmpdir(), 'nfe-repeat-'));
  const file = join(folder, 'repeat.mjs');
  await writeFile(file, script);
  const child = spawn(process.execPath, [file], { env: environment, cwd: folder });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  await rm(folder, { recursive: true });
  return { status, stdout, stderr };
}
