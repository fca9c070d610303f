import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { textOfFile, newFolder } from '../folders.ts';
import { environmentOf } from '../runs.ts';

/** What a command printed, and how it ended. */
export interface Said {
  readonly status: number | null;
  /** Of both streams. */
  readonly printed: string;
}

/** A command that is under way. */
export interface Saying {
  readonly printed: () => string;
  readonly stop: () => void;
  readonly ended: Promise<Said>;
}

/** Starts a receiver in a process of its own with these settings only. */
export function startReceiver(words: readonly string[], settings: Readonly<Record<string, string>>): Saying {
  const child = spawn('node', ['desk/main.ts', 'receiver', ...words], {
    cwd: join(import.meta.dirname, '../../..'),
    env: environmentOf(newFolder(), settings),
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  child.stderr.on('data', (chunk) => (text += String(chunk)));
  const ended = new Promise<Said>((resolve) => {
    child.on('close', (status) => resolve({ status, printed: text }));
  });
  return { printed: () => text, stop: () => void child.kill('SIGTERM'), ended };
}

/** The files in a folder and in those below it, by their names. */
export function filesIn(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(entries.map(({ name, parentPath }) => [name, textOfFile(join(parentPath, name))] as const));
}
