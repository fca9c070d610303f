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
export function runScript(script: string, environment: Readonly<Record<string, string>>): Promise<Ran> {
  return runFiles({ 'repeat.mjs': script }, 'repeat.mjs', environment);
}

/** Runs scripts in one process, each begun when the one before it has sent its request. */
export function runScripts(scripts: readonly string[], environment: Readonly<Record<string, string>>): Promise<Ran> {
  const files = Object.fromEntries(scripts.map((script, index) => [`${index}.mjs`, script]));
  const all = scripts.map((_, index) => `await import('./${index}.mjs');`).join('\n');
  return runFiles({ ...files, 'all.mjs': all }, 'all.mjs', environment);
}

async function runFiles(
  files: Readonly<Record<string, string>>,
  main: string,
  environment: Readonly<Record<string, string>>,
): Promise<Ran> {
  const folder = await mkdtemp(join(tmpdir(), 'nfe-repeat-'));
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content)));
  const child = spawn(process.execPath, [join(folder, main)], { env: environment, cwd: folder });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  await rm(folder, { recursive: true });
  return { status, stdout, stderr };
}
