import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sampleResults } from './sample-run.ts';
import { writeReports } from './write.ts';

const names = ['results.json', 'index.html', 'junit.xml', 'summary.md'];
const plain = { mask: (text: string): string => text };

async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'reports-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

describe('the files of a run', () => {
  test('are written into a directory that is made, and their paths are given', async () => {
    const directory = join(await emptyDirectory(), 'out', 'night');
    const paths = await writeReports(directory, sampleResults(), plain);
    expect(paths).toEqual(names.map((name) => join(directory, name)));
    expect((await readdir(directory)).sort()).toEqual([...names].sort());
    expect(JSON.parse(await readFile(join(directory, 'results.json'), 'utf8'))).toEqual(sampleResults());
  });

  test('replace those of the run before', async () => {
    const directory = await emptyDirectory();
    await writeReports(directory, sampleResults(), plain);
    await writeReports(directory, { ...sampleResults(), seed: 42 }, plain);
    for (const name of names) expect(await readFile(join(directory, name), 'utf8')).toContain('42');
    expect(await readdir(directory)).toHaveLength(names.length);
  });

  test('are compared with the baseline that is given', async () => {
    const directory = await emptyDirectory();
    await writeReports(directory, sampleResults(), { ...plain, baseline: sampleResults() });
    for (const name of ['index.html', 'summary.md'])
      expect(await readFile(join(directory, name), 'utf8')).toContain('What changed');
  });

  test('hold no secret, even one that a page would have escaped out of the mask’s sight', async () => {
    const directory = await emptyDirectory();
    const results = structuredClone(sampleResults());
    const secret = 's&cr"et<';
    results.target.profile = `profiles/${secret}`;
    for (const check of results.clauses.flatMap((clause) => clause.checks)) {
      if (check.error) check.error.actual = `got ${secret}`;
      if (check.state === 'not-exercised') check.reason = `for ${secret}`;
    }
    await writeReports(directory, results, { mask: (text) => text.replaceAll(secret, '$NFE_APP_SECRET') });
    for (const name of names) {
      const text = await readFile(join(directory, name), 'utf8');
      expect(text).toMatch(/(\$|&#36;)NFE(_|&#95;)APP(_|&#95;)SECRET/);
      expect(text).not.toMatch(/s(&|&#38;|&amp;)cr/);
    }
  });

  test('are passed through the mask as a whole at the end', async () => {
    const directory = await emptyDirectory();
    const seen: string[] = [];
    await writeReports(directory, sampleResults(), { mask: (text) => (seen.push(text), text) });
    for (const name of names) expect(seen).toContain(await readFile(join(directory, name), 'utf8'));
  });
});

test('results that don’t fit the schema are refused, and nothing is written', async () => {
  const directory = await emptyDirectory();
  const broken = { ...sampleResults(), durationMs: -1 };
  await expect(writeReports(directory, broken, plain)).rejects.toThrow(/durationMs is -1/);
  expect(await readdir(directory)).toEqual([]);
});

test('a run that can’t write all its files leaves no part of one', async () => {
  const directory = await emptyDirectory();
  await writeReports(join(directory, 'summary.md'), sampleResults(), plain);
  await expect(writeReports(directory, sampleResults(), plain)).rejects.toThrow(/summary\.md/);
  expect((await readdir(directory)).filter((name) => name.endsWith('.part'))).toEqual([]);
});
