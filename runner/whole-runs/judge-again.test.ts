import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { isResults } from '../../schemas/stored.ts';
import type { Results } from '../../schemas/results.ts';
import { newFolder } from '../testing/folders.ts';
import { npmTest } from '../testing/runs.ts';

const folder = newFolder();
const path = join(folder, 'trace.ndjson.gz');

function resultsIn(directory: string): Results {
  const value: unknown = JSON.parse(readFileSync(join(directory, 'results.json'), 'utf8'));
  if (!isResults(value)) throw new Error('no results');
  return value;
}

function verdictsIn({ clauses }: Results): readonly (readonly [string, string])[] {
  return clauses.map(({ id, verdict }) => [id, verdict] as const);
}

/** A trace that is judged: its exit status, and its results. */
async function judged(file: string) {
  const out = newFolder();
  const { status } = await npmTest({ NFE_REPORT_DIR: out }, '--judge', file);
  return { status, results: () => resultsIn(join(out, 'judged')) };
}

describe('a run that is judged again by its trace', () => {
  beforeAll(async () => {
    const words = ['--topic', 'echo', '--topic', 'issuance-callback', '--seed', '1'];
    await npmTest({ NFE_REPORT_DIR: folder, NFE_NUM_RUNS: '1' }, ...words);
  });

  test('comes to the same verdict of every clause', async () => {
    const { status, results } = await judged(path);
    expect(status).toBe(0);
    expect(verdictsIn(results())).toEqual(verdictsIn(resultsIn(folder)));
  });

  test('breaks a clause where one of its answers was another', async () => {
    const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n');
    const at = lines.findLastIndex((line) => line.includes('"kind":"delivery"') && line.includes('nfeNumeroProtocolo'));
    const changed = lines.map((line, index) =>
      index === at ? line.replaceAll('nfeNumeroProtocolo', 'protocolo') : line,
    );
    const file = join(newFolder(), 'changed.gz');
    writeFileSync(file, gzipSync(changed.join('\n')));
    const { status, results } = await judged(file);
    expect(status).toBe(1);
    const failed = results().clauses.filter(({ verdict }) => verdict === 'failed');
    expect(failed.map(({ id }) => id)).toEqual([expect.stringMatching(/^issuance-callback\.all-fields/)]);
    expect(failed[0]?.checks.find(({ state }) => state === 'failed')?.error?.actual).toMatch(
      /in 1 of \d+ that were seen: intermittent/,
    );
  });
});
