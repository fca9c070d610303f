import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, beforeAll } from 'vitest';
import { sampleResults } from '../reports/testing/sample-run.ts';
import type { EndedProcess } from '../runner/testing/warm-process.ts';
import { childEnvironment, warmly } from '../runner/testing/warm.ts';
import { newFolder } from '../runner/testing/folders.ts';
import type { Results } from '../schemas/results.ts';

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

const results: Results = {
  format: 'nfe-conformance/results@1',
  verdict: 'conformant',
  target: { kind: 'sandbox', baseUrl: 'http://a', control: false, profile: 'p' },
  startedAt: '2026-11-21T02:00:00.000Z',
  durationMs: 1,
  seed: 1,
  numRuns: 1,
  requests: 1,
  counts: { passed: 1, failed: 0, known: 0, warned: 0, notExercised: 0, unobservable: 0 },
  clauses: [
    { id: 'echo.a', section: '1', level: 'must', binds: 'service', statement: 'S.', verdict: 'passed', checks: [] },
  ],
  shapes: [{ endpoint: 'echo', status: 200, responses: 1, contentTypes: ['(none)'], fields: [] }],
};

let folder = '';

beforeAll(() => {
  folder = newFolder();
  const files = {
    'a.json': JSON.stringify(results),
    'b.json': JSON.stringify({ ...results, seed: 2 }),
    'other.json': JSON.stringify({ ...results, shapes: [] }),
    'broken.json': 'secret=1729',
    'foreign.json': '{"secret": "s3cr3t"}',
    'error.json': JSON.stringify({ ...results, verdict: 'error', error: 'ECONNREFUSED', clauses: [] }),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});

async function compare(...words: string[]) {
  const paths = words.map((word) => (word.startsWith('-') ? word : join(folder, word)));
  const { status, stdout, stderr } = await warmly({ command: 'compare', words: paths, env: childEnvironment() });
  return { status, stdout, stderr };
}

test('a run that ended in an error is the same as none', async () => {
  const { status, stdout } = await compare('error.json', 'error.json');
  expect(status).toBe(1);
  expect(stdout).toMatch(/nothing was compared\n$/);
});

test('--json prints the comparison', async () => {
  const { status, stdout } = await compare('--json', 'a.json', 'other.json');
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    outcome: 'different',
    compared: { clauses: 1, shapes: 1 },
    context: [],
    clauses: [],
    shapes: [{ endpoint: 'echo', status: 200, responses: { a: 1, b: 0 }, fields: [] }],
    notCompared: [],
  });
  expect((await compare('a.json', 'b.json', '--json')).status).toBe(0);
});

describe('one line says why nothing can be compared, with status 2', () => {
  test.each([
    [[], /two results files are compared, not 0; usage: npm run compare/],
    [['a.json'], /two results files are compared, not 1; usage/],
    [['a.json', 'b.json', 'other.json'], /two results files are compared, not 3; usage/],
    [['--yaml', 'a.json', 'b.json'], /Unknown option '--yaml'.*; usage/],
    [['a.json', 'none.json'], /none\.json can't be read \(ENOENT\)/],
    [['.', 'a.json'], /can't be read \(EISDIR\)/],
    [['broken.json', 'a.json'], /broken\.json is not JSON/],
    [['a.json', 'foreign.json'], /foreign\.json is not a results\.json of this suite/],
  ])('%j', async (words, message) => {
    const { status, stdout, stderr } = await compare(...words);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).not.toMatch(/1729|s3cr3t/);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });
});
