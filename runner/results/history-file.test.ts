import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { historyLineOf } from '../../reports/history.ts';
import { sampleResults } from '../../reports/testing/sample-run.ts';
import { addRun, readHistoryFile } from './history-file.ts';
import { newFolder } from '../testing/folders.ts';

const line = historyLineOf(sampleResults(), '0.1.0');
const long = { ...line, error: 'x'.repeat(5_000) };

/** Adds a run in a process whose files may grow to a few kilobytes at most, as on a disk that is nearly full; gives its message. */
function addOnFullDisk(path: string): string {
  const module = JSON.stringify(join(import.meta.dirname, 'history-file.ts'));
  const program = `import { addRun } from ${module};
try { addRun(process.argv[1], JSON.parse(process.argv[2])); } catch (error) { process.stdout.write(error.message); }`;
  const words = ['-c', 'ulimit -f 4 && exec node --input-type=module --eval "$@"', 'sh', program];
  return spawnSync('sh', [...words, path, JSON.stringify(long)], { encoding: 'utf8' }).stdout;
}

test('a run of which only a part was written is refused, and the torn line costs no other run', () => {
  const path = join(newFolder(), 'history.jsonl');
  addRun(path, line);
  expect(addOnFullDisk(path)).toBe(`${path} took only a part of the run: is the disk full?`);
  addRun(path, long);
  expect(readHistoryFile(path)).toEqual({ runs: [line, long], unreadable: 1 });
});
