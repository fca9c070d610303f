import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import projectPackage from '../package.json' with { type: 'json' };
import { readHistory } from '../reports/history.ts';
import { sampleResults } from '../reports/testing/sample-run.ts';
import type { EndedProcess } from '../runner/testing/warm-process.ts';
import { childEnvironment, warmly } from '../runner/testing/warm.ts';
import { newFolder } from '../runner/testing/folders.ts';

const root = join(import.meta.dirname, '..');

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

const seedsIn = (path: string): number[] => readHistory(readFileSync(path, 'utf8')).runs.map(({ seed }) => seed);

test('each run becomes a line, in a file and a folder that are made', async () => {
  const folder = folderOfNights(2);
  const file = join(folder, 'new', 'history.jsonl');
  expect((await history(file, join(folder, 'night-1.json'))).status).toBe(0);
  const { status, stdout } = await history(file, join(folder, 'night-2.json'));
  expect(status).toBe(0);
  expect(stdout).toMatch(/^.*Nonconformant.* seed 1: .*\n.*Nonconformant.* seed 2: .*\n$/);
  expect(seedsIn(file)).toEqual([1, 2]);
  expect(readHistory(readFileSync(file, 'utf8')).runs[0]?.suite).toBe(projectPackage.version);
});

test('a run that is handed over twice stays one line', async () => {
  const folder = folderOfNights(1);
  const file = join(folder, 'history.jsonl');
  for (const _ of [1, 2]) await history(file, join(folder, 'night-1.json'));
  expect(seedsIn(file)).toEqual([1]);
});

test('a line that a crash tore costs no other', async () => {
  const folder = folderOfNights(2);
  const file = join(folder, 'history.jsonl');
  await history(file, join(folder, 'night-1.json'));
  appendFileSync(file, '{"format":"nfe-conf');
  const { status, stdout } = await history(file, join(folder, 'night-2.json'));
  expect(seedsIn(file)).toEqual([1, 2]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/passed over: 1 line of the file without a run\n$/);
});

test('runs that are appended at the same time do not mix', async () => {
  const folder = folderOfNights(3);
  const file = join(folder, 'history.jsonl');
  const ends = [1, 2, 3].map((night) => {
    const child = spawn('node', ['desk/main.ts', 'history', file, join(folder, `night-${night}.json`)], {
      cwd: root,
    });
    return new Promise((resolve) => {
      child.on('close', resolve);
    });
  });
  expect(await Promise.all(ends)).toEqual([0, 0, 0]);
  expect(seedsIn(file).toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
});

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
