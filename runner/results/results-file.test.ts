import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampleResults } from '../../reports/testing/sample-run.ts';
import { readResultsFile } from './report-folder.ts';
import { newFolder } from '../testing/folders.ts';

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
