import { mkdtempSync, rmSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

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

/** The text of a file; of one that is packed, of what is in it. */
export function textOfFile(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}
