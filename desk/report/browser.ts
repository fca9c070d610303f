import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

/** Shows a file in the browser of whoever runs the command. */
export type OpenFile = (path: string) => Promise<unknown>;

/** A launcher that finds no browser ends at once; some stay as long as the browser does, and are not waited for. */
const watchedMs = 3000;

/** The system's browser, which is looked for only when it is asked for: a CI job has none. */
export const systemBrowser: OpenFile = async (path) => {
  const { default: open } = await import('open');
  await launched(await open(path), watchedMs);
};

/** Waits until the launcher of a browser has ended well, or that many milliseconds. Throws an Error where it has failed. */
export function launched(launcher: ChildProcess, mostMs: number): Promise<void> {
  return new Promise((resolved, rejected) => {
    const timer = setTimeout(resolved, mostMs);
    const end = (error?: Error): void => {
      clearTimeout(timer);
      if (error) rejected(error);
      else resolved();
    };
    const judge = (status: number | null, signal: string | null): void => {
      const how = status === null ? `by ${signal}` : `with status ${status}`;
      end(status === 0 ? undefined : new Error(`${basename(launcher.spawnfile)} ended ${how}`));
    };
    const { exitCode, signalCode } = launcher;
    launcher.once('error', end);
    if (exitCode === null && signalCode === null) launcher.once('exit', judge);
    else judge(exitCode, signalCode);
  });
}

/** Opens the report in a folder; gives, in one line, why it could not be opened. */
export async function openReport(reportDir: string, open: OpenFile): Promise<string | undefined> {
  const path = resolve(join(reportDir, 'index.html'));
  if (!existsSync(path)) return `${path} is not there to be opened: npm test writes it`;
  try {
    await open(path);
    return undefined;
  } catch (error) {
    return `no browser could be started (${error instanceof Error ? error.message : String(error)}): open ${path} yourself`;
  }
}
