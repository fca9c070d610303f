import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/** A folder that is gone after the tests of the file; a process that is ended at once leaves its own in one of these. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nfe-run-'));
  folders.push(folder);
  return folder;
}

/** Removes the folders that were made so far. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
