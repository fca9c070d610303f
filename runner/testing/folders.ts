import { mkdtempSync, rmSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { randomInt } from 'node:crypto';
import { connect } from 'node:net';

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

/**
 * Below the ports that systems give to the near ends of connections: one of those might be taken before anybody listens at it. Each
 * worker has some of its own.
 */
const [lowest, ofEach, workers] = [20_000, 1_500, 8];

/** The ports of this file's tests: who starts a server again finds its port free. */
const given = new Set<number>();

/** A port of 127.0.0.1 that nobody listens at and no other test gets, for a server that is started a little later. */
export async function freePort(): Promise<number> {
  const own = lowest + (Number(process.env['VITEST_POOL_ID'] ?? 0) % workers) * ofEach;
  for (;;) {
    const port = randomInt(own, own + ofEach);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

/** Asked by a connection, since a port at which this process has listened is taken a moment longer, as `whenFree` says. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}
