import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampleResults } from '../reports/testing/sample-run.ts';
import type { EndedProcess } from '../runner/testing/warm-process.ts';
import { childEnvironment, warmly } from '../runner/testing/warm.ts';
import { newFolder } from '../runner/testing/folders.ts';

/** A folder with the results of some nights in `night-N.json`. */
function folderOfNights(nights: number): string {
  const folder = newFolder();
  for (let night = 1; night <= nights; night += 1) {
    writeFileSync(join(folder, `night-${night}.json`), JSON.stringify({ ...sampleResults(), seed: night }));
  }
  return folder;
}

function history(...words: string[]): Promise<EndedProcess> {
  return warmly({ command: 'history', words, env: childEnvironment() });
}

test('without results the history is printed only', async () => {
  const file = join(newFolder(), 'history.jsonl');
  expect(await history(file)).toMatchObject({ status: 0, stdout: 'no runs yet\n' });
  expect(existsSync(file)).toBe(false);
});

describe('one line refuses, with status 2, and leaves the history as it was:', () => {
  test.each([
    [['$/history.jsonl', '$/none.json'], /none\.json can't be read \(ENOENT\)/],
    [['$/history.jsonl', '$/foreign.json'], /foreign\.json is not a results\.json of this suite/],
    [['$/history.jsonl', '$/torn.json'], /torn\.json is not JSON/],
    [['$/folder', '$/night-1.json'], /folder can't be read \(EISDIR\)/],
    [['$/night-1.json/history.jsonl', '$/night-1.json'], /can't be (read|written) \((ENOTDIR|EEXIST)\)/],
    [[], /usage: npm run history/],
    [['a', 'b', 'c'], /usage: npm run history/],
    [['--yaml'], /Unknown option '--yaml'/],
  ])('%j', async (words, message) => {
    const folder = folderOfNights(1);
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'foreign.json'), '{"secret": "s3cr3t"}');
    writeFileSync(join(folder, 'torn.json'), '{"secret": "s3cr3t');
    const { status, stdout, stderr } = await history(...words.map((word) => word.replace('$', folder)));
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).not.toContain('s3cr3t');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(existsSync(join(folder, 'history.jsonl'))).toBe(false);
  });
});
