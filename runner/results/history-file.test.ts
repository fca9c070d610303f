import { join, dirname } from 'node:path';
import { expect, test, describe } from 'vitest';
import { sampleResults } from '../../reports/testing/sample-run.ts';
import { readResultsFile } from './report-folder.ts';
import { newFolder } from '../testing/folders.ts';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync, statSync } from 'node:fs';
import { readHistory } from '../../reports/history.ts';
import type { Results } from '../../schemas/results.ts';
import { addRun, earlierFields, historyOfRun, lineOf } from './history-file.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import { readSettings } from '../settings/settings.ts';
import { empresaMemoryAt } from './remembered-empresas.ts';

const night = (day: number): Results => ({
  ...sampleResults(),
  seed: day,
  startedAt: `2026-11-${String(day).padStart(2, '0')}T02:00:00.000Z`,
});
const newPath = (): string => join(newFolder(), 'new', 'history.jsonl');
const seedsIn = (path: string): number[] => readHistory(readFileSync(path, 'utf8')).runs.map(({ seed }) => seed);

/** What a run gets to see of its history, and what it warns of. */
function told(results: Results, path: string, isAdded = true): { seeds: number[]; warnings: string[] } {
  const warnings: string[] = [];
  const runs = historyOfRun(results, { path, isAdded }, (line) => warnings.push(line));
  return { seeds: runs.map(({ seed }) => seed), warnings };
}

describe('the history of a run', () => {
  test('ends with the run, which is added to it', () => {
    const path = newPath();
    told(night(1), path);
    expect(told(night(2), path)).toEqual({ seeds: [1, 2], warnings: [] });
    expect(seedsIn(path)).toEqual([1, 2]);
  });

  test('holds a run once, however often it is added', () => {
    const path = newPath();
    for (const _ of [1, 2]) told(night(1), path);
    addRun(path, lineOf(night(1)));
    expect(seedsIn(path)).toEqual([1]);
  });

  test('ends with the run also when it is rendered again after later ones, and stays as it is then', () => {
    const path = newPath();
    for (const day of [1, 2, 3]) told(night(day), path);
    const before = readFileSync(path, 'utf8');
    expect(told(night(2), path, false).seeds).toEqual([1, 2]);
    expect(told({ ...night(2), seed: 9 }, path, false).seeds).toEqual([1, 9]);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  test('is not made for a run that is not added', () => {
    const path = newPath();
    expect(told(night(1), path, false)).toEqual({ seeds: [1], warnings: [] });
    expect(() => readFileSync(path)).toThrow(/ENOENT/);
  });
});

describe('a history that is broken', () => {
  test.each([
    ['is a folder', (path: string) => mkdirSync(path, { recursive: true }), /history\.jsonl can't be read \(EISDIR\)/],
    [
      'lies below a file',
      (path: string) => writeFileSync(dirname(path), ''),
      /history\.jsonl can't be read \(ENOTDIR\)/,
    ],
    [
      'is another file',
      (path: string) => {
        mkdirSync(dirname(path));
        writeFileSync(path, 'NFE_APP_SECRET=s3cr3t\n');
      },
      /history\.jsonl holds text and not one run: it is no history/,
    ],
  ])('since it %s costs one line of warning, and the run stands alone', (_, breakIt, message) => {
    const path = newPath();
    breakIt(path);
    const { seeds, warnings } = told(night(1), path);
    expect(seeds).toEqual([1]);
    expect(warnings).toEqual([expect.stringMatching(message)]);
    expect(warnings[0]).toMatch(/^warning: [^\n]*; the verdict of this run stands, outside the history$/);
    expect(warnings[0]).not.toContain('s3cr3t');
  });

  test('by a torn line keeps its other runs', () => {
    const path = newPath();
    told(night(1), path);
    appendFileSync(path, '{"format":"nfe-conf');
    expect(told(night(2), path)).toEqual({ seeds: [1, 2], warnings: [] });
    expect(seedsIn(path)).toEqual([1, 2]);
  });
});

describe('a history', () => {
  test('keeps its last runs, cut only when they are a tenth more, and leaves no part of a file', () => {
    const path = newPath();
    const kept = Array.from({ length: 23 }, (_, index) => {
      addRun(path, lineOf(night(index + 1)), 10);
      return seedsIn(path).length;
    });
    expect(kept).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 10, 11, 10, 11, 10, 11, 10, 11, 10, 11, 10, 11]);
    expect(seedsIn(path)).toEqual([13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]);
    expect(readdirSync(dirname(path))).toEqual(['history.jsonl']);
  });
});

describe('the fields of verdicts that earlier runs saw', () => {
  const path = newPath();
  const { target } = night(9);
  addRun(path, lineOf({ ...night(1), verdictFields: { VALIDATED: ['a', 'b'] } }));
  addRun(path, lineOf(night(2)));
  addRun(path, lineOf({ ...night(3), verdictFields: { VALIDATED: ['c'], REJECTED: ['r'] } }));
  addRun(path, lineOf({ ...night(4), target: { ...target, kind: 'container' }, verdictFields: { VALIDATED: ['d'] } }));

  test('are those of every run of the same target', () => {
    expect(earlierFields(path, target)).toEqual({ VALIDATED: ['a', 'b', 'c'], REJECTED: ['r'] });
  });

  test('are none without such a run, nor without a history that can be read', () => {
    expect(earlierFields(newPath(), target)).toEqual({});
    expect(earlierFields(dirname(path), target)).toEqual({});
  });
});

function fileWith(text: string): string {
  const path = join(newFolder(), 'results.json');
  writeFileSync(path, text);
  return path;
}

describe('a results file', () => {
  test('may begin with a byte order mark', () => {
    expect(readResultsFile(fileWith(`\uFEFF${JSON.stringify(sampleResults())}`)).seed).toBe(sampleResults().seed);
  });

  const [first, second, ...others] = sampleResults().clauses;
  test.each<[string, object, RegExp]>([
    [
      'a field that is missing',
      { clauses: [first, { ...second, level: undefined }] },
      /: \/clauses\/1\/level is missing;/,
    ],
    [
      'another value',
      { clauses: [first, { ...second, level: 's3cr3t' }, ...others] },
      /: \/clauses\/1\/level is of another form;/,
    ],
    ['a member too many', { clauses: [{ ...first, s3cr3t: 1 }] }, /: \/clauses\/0 has a member of another name;/],
    ['another type', { seed: 's3cr3t' }, /: \/seed is of another form;/],
  ])('is refused for %s by its place, without a word of it', (_, change, message) => {
    const path = fileWith(JSON.stringify({ ...sampleResults(), ...change }));
    const refused = (): unknown => readResultsFile(path);
    expect(refused).toThrow(message);
    expect(refused).toThrow(`${path} breaks the schema of nfe-conformance/results@1: `);
    expect(refused).not.toThrow(/s3cr3t/);
  });

  test.each([
    [
      'of another format',
      JSON.stringify({ ...sampleResults(), format: 's3cr3t' }),
      /is not a results\.json of this suite/,
    ],
    ['that is no JSON', '{"s3cr3t', /is not JSON$/],
  ])('is refused where it is one %s', (_, text, message) => {
    const path = fileWith(text);
    expect(() => readResultsFile(path)).toThrow(message);
    expect(() => readResultsFile(path)).not.toThrow(/s3cr3t/);
  });

  test('is refused where it is a folder, or not there', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'results.json'));
    expect(() => readResultsFile(join(folder, 'results.json'))).toThrow(/results\.json can't be read \(EISDIR\)$/);
    expect(() => readResultsFile(join(folder, 'none.json'))).toThrow(/none\.json can't be read \(ENOENT\)$/);
  });
});

const address = foreignAddress('http://127.0.0.1:9');
const body = { cnpj: '99999991000125', razaoSocial: 'Ana Souza ME' };

/** A memory beside the reports of a folder. */
const memoryIn = (reportDir: string, at = address) =>
  empresaMemoryAt(readSettings({ NFE_BASE_URL: at.baseUrl, NFE_APP_SECRET: 's3cr3t', NFE_REPORT_DIR: reportDir }), at);

test('the company that was registered last with a body is known to later runs at that address alone', () => {
  const folder = newFolder();
  for (const id of ['E-1', 'E-2']) memoryIn(folder)?.keep(body, id);
  expect(memoryIn(folder)?.recall(body)).toBe('E-2');
  expect(memoryIn(folder)?.recall({ ...body, cnpj: '99999992000170' })).toBeUndefined();
  expect(memoryIn(folder, foreignAddress('http://127.0.0.1:10'))?.recall(body)).toBeUndefined();
});

test('a company that gets the same id each time is kept once', () => {
  const folder = newFolder();
  for (const id of ['E-1', 'E-1', 'E-2']) memoryIn(folder)?.keep(body, id);
  expect(readFileSync(join(folder, 'empresas.jsonl'), 'utf8').match(/E-\d/g)).toEqual(['E-1', 'E-2']);
});

test('the file is its owner’s, and tells of nobody', () => {
  const folder = newFolder();
  memoryIn(folder)?.keep(body, 'E-1');
  const path = join(folder, 'empresas.jsonl');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  memoryIn(folder)?.keep(body, 'E-s3cr3t');
  expect(readFileSync(path, 'utf8')).not.toMatch(/99999991000125|Ana|s3cr3t/);
});

test('lines that are none are passed over; a folder that can not be written costs nothing', () => {
  const folder = newFolder();
  memoryIn(folder)?.keep(body, 'E-1');
  appendFileSync(join(folder, 'empresas.jsonl'), '{"baseUrl":\n[]\n');
  expect(memoryIn(folder)?.recall(body)).toBe('E-1');
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  memoryIn(file)?.keep(body, 'E-1');
  expect(memoryIn(file)?.recall(body)).toBeUndefined();
});

test('a simulator that a run starts itself, and one with a control API, remember nothing', () => {
  expect(memoryIn(newFolder(), { ...address, kind: 'embedded' })).toBeUndefined();
  expect(memoryIn(newFolder(), { ...address, control: { url: 'http://127.0.0.1:9', token: 't' } })).toBeUndefined();
});
