import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { settingNames } from '../../settings/settings.ts';
import { childEnvironment } from '../child-environment.ts';
import { textOfFile } from '../text-of-file.ts';
import { warmly } from '../warm.ts';

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

/** Runs a command with these settings only. */
export async function said(
  name: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Said> {
  const { status, stdout, stderr } = await warmly({ command: name, words, env: environmentOf(settings) });
  return { status, printed: stdout + stderr };
}

function environmentOf(settings: Readonly<Record<string, string>>): Record<string, string | undefined> {
  const unset = Object.fromEntries(settingNames.map((name) => [name, '']));
  return { ...childEnvironment(), ...unset, ...settings };
}

/** Starts a receiver in a process of its own with these settings only. */
export function startReceiver(words: readonly string[], settings: Readonly<Record<string, string>>): Saying {
  const child = spawn('node', ['desk/main.ts', 'receiver', ...words], {
    cwd: join(import.meta.dirname, '../../..'),
    env: environmentOf(settings),
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
