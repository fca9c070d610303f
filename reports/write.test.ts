import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isResults } from '../schemas/stored.ts';
import type { Results } from '../schemas/results.ts';
import { secretMatcher } from '../trace/secrets/matcher.ts';
import { pageScript } from './html/frame.ts';
import {
  sampleExchange,
  sampleFacts,
  sampleResults,
  sampleClause,
  sampleFailure,
  sampleOutcome,
} from './testing/sample-run.ts';
import {
  removeReports,
  writeContainerLog,
  writeReports,
  type WriteOptions,
  type WrittenReports,
  badgeOf,
} from './write.ts';
import type { Mask } from '../trace/people/words-mask.ts';
import { maskedResults } from './leaks.ts';
import { modelOf } from './model.ts';
import { judge } from './judge.ts';

const ids = ['echo.a', 'echo.b', 'echo.c'];
const clauses = [
  ...ids.map((id) => sampleClause(id)),
  sampleClause('echo.d', { level: 'should' }),
  sampleClause('echo.e', { unobservable: 'it is shown in a console' }),
];
const outcomes = [...ids, 'echo.d'].map((id) => sampleOutcome(id));
const [, ...others] = outcomes;

describe('the badge of a run', () => {
  test('with a known deviation does not count it as passed', () => {
    const facts = { ...sampleFacts, knownDeviations: { 'echo.a': 'TICKET-12' } };
    const failed = sampleOutcome('echo.a', sampleFailure);
    expect(badgeOf(modelOf(judge(facts, clauses, [failed, ...others]))).message).toBe(
      'conformant · 2/3 must clauses · level secret: all 3 exercised, not all hold',
    );
  });

  test('with stale known deviations says so, and counts none of them as failed', () => {
    const facts = { ...sampleFacts, knownDeviations: { 'echo.a': 'TICKET-12', 'echo.b': 'TICKET-13' } };
    const failed = sampleOutcome('echo.c', sampleFailure);
    expect(
      badgeOf(modelOf(judge({ ...sampleFacts, knownDeviations: { 'echo.a': 'T' } }, clauses, outcomes))),
    ).toMatchObject({
      message: 'nonconformant · 1 known deviation stale',
      color: 'red',
    });
    expect(badgeOf(modelOf(judge(facts, clauses, [...outcomes, failed]))).message).toBe(
      'nonconformant · 1 clause failed · 2 known deviations stale',
    );
  });

  test('of a part says so', () => {
    const part = judge({ ...sampleFacts, filter: '--topic echo' }, clauses, outcomes);
    expect(badgeOf(modelOf(part)).message).toBe('conformant in part · 3/3 must clauses');
  });
});

const names = ['results.json', 'index.html', 'junit.xml', 'summary.md', 'ctrf.json', 'badge.json'];
const script = 'repeat-retirement.before-subscription.mjs';

/** Writes the reports of results as a run does, its secrets hidden before. */
function write(
  directory: string,
  results: Results,
  {
    mask = (text: string): string => text,
    baseline,
    ...options
  }: WriteOptions & { mask?: Mask; baseline?: Results } = {},
): Promise<WrittenReports> {
  const safe = maskedResults(results, mask);
  return writeReports(directory, modelOf(safe, { baseline: baseline && maskedResults(baseline, mask) }), options);
}

async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'reports-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

describe('the files of a run', () => {
  test('are written into a directory that is made, and their paths are given', async () => {
    const directory = join(await emptyDirectory(), 'out', 'night');
    const { paths } = await write(directory, sampleResults());
    expect(paths).toEqual(names.map((name) => join(directory, name)));
    expect((await readdir(directory)).sort()).toEqual([...names, script].sort());
    expect(JSON.parse(await readFile(join(directory, 'results.json'), 'utf8'))).toEqual(sampleResults());
  });

  test('replace those of the run before', async () => {
    const directory = await emptyDirectory();
    await write(directory, sampleResults());
    await write(directory, { ...sampleResults(), seed: 42 });
    for (const name of names.filter((own) => own !== 'badge.json'))
      expect(await readFile(join(directory, name), 'utf8')).toContain('42');
    expect(await readdir(directory)).toHaveLength([...names, script].length);
  });

  test('are removed before the next run, and nothing else is', async () => {
    const directory = await emptyDirectory();
    await write(directory, sampleResults());
    await writeContainerLog(directory, 'listening');
    await writeFile(join(directory, 'history.jsonl'), '');
    await removeReports(directory);
    expect(await readdir(directory)).toEqual(['history.jsonl']);
  });

  test('leave out what is to stay as it is', async () => {
    const directory = await emptyDirectory();
    await writeFile(join(directory, 'results.json'), 'own');
    const { paths } = await write(directory, sampleResults(), { except: ['results.json'] });
    expect(paths).toEqual(names.slice(1).map((name) => join(directory, name)));
    expect(await readFile(join(directory, 'results.json'), 'utf8')).toBe('own');
  });

  test('are compared with the baseline that is given', async () => {
    const directory = await emptyDirectory();
    await write(directory, sampleResults(), { baseline: sampleResults() });
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
    await write(directory, results, { mask: (text) => text.replaceAll(secret, '$NFE_APP_SECRET') });
    for (const name of names.filter((own) => own !== 'badge.json')) {
      const text = await readFile(join(directory, name), 'utf8');
      expect(text).toMatch(/(\$|&#36;)NFE(_|&#95;)APP(_|&#95;)SECRET/);
      expect(text).not.toMatch(/s(&|&#38;|&amp;)cr/);
    }
  });

  test('keep their names, their numbers and the words of the suite where a secret is like them', async () => {
    const directory = await emptyDirectory();
    const results = { ...sampleResults(), filter: '--clause "statement" 12345 conformant' };
    const words = ['statement', 'startedAt', 'nfe-conformance', 'nonconformant', 'conformant', '12345', 'must'];
    const mask = (text: string): string => words.reduce((rest, word) => rest.replaceAll(word, '$SECRET'), text);
    await write(directory, results, { mask });
    const written = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
    const [json = '', page = '', junit = '', summary = '', ctrf = '', badge = ''] = written;
    expect(JSON.parse(json)).toEqual({ ...results, filter: '--clause "$SECRET" $SECRET $SECRET' });
    expect(JSON.parse(ctrf)).toHaveProperty('results.summary');
    expect(JSON.parse(badge)).toHaveProperty('message');
    expect([page, junit, summary].join('')).toContain('must clauses failed');
  });

  test('hold no secret of the baseline either, which may have become known since', async () => {
    const directory = await emptyDirectory();
    const secret = 's&cret-key';
    const target = { ...sampleFacts.target, baseUrl: `http://127.0.0.1/${secret}` };
    const mask = (text: string): string => text.replaceAll(secret, '$NFE_APP_SECRET');
    await write(directory, sampleResults(), { mask, baseline: { ...sampleResults(), target } });
    for (const name of names) expect(await readFile(join(directory, name), 'utf8')).not.toContain('cret-key');
    expect(await readFile(join(directory, 'summary.md'), 'utf8')).toMatch(/NFE&#95;APP&#95;SECRET/);
  });

  test('keep the script of the page whole, even where a secret is a word of it', async () => {
    const directory = await emptyDirectory();
    const script = await pageScript();
    const word = /[a-z]{6,}/.exec(script)?.[0] ?? '';
    expect(word).not.toBe('');
    const mask = (text: string): string => text.replaceAll(word, '$NFE_APP_SECRET');
    await write(directory, sampleResults(), { mask });
    const page = await readFile(join(directory, 'index.html'), 'utf8');
    expect(page).toContain(script);
  });
});

describe('a secret that the masks have missed', () => {
  const searchFor = (secret: string) => (common: readonly string[]) =>
    secretMatcher([{ secret, stand: '$NFE_APP_SECRET' }], { common, isCommonSpared: true });
  const readAll = (directory: string): Promise<string[]> =>
    Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));

  test('is replaced in every file that would hold it, and nothing else is', async () => {
    const directory = await emptyDirectory();
    await write(directory, sampleResults());
    const before = await readAll(directory);
    const { leaks } = await write(directory, sampleResults(), { searchOf: searchFor('TICKET-12') });
    expect(before.join('')).toContain('TICKET-12');
    expect(leaks).toEqual(
      ['results.json', 'index.html', 'junit.xml', 'summary.md', 'ctrf.json'].map((file) => ({
        file,
        secret: '$NFE_APP_SECRET',
      })),
    );
    const [json = '', ...others] = await readAll(directory);
    expect(others.join('')).not.toContain('TICKET-12');
    const { defects, ...results } = resultsIn(json);
    expect(defects).toEqual(leaks);
    expect(results).toEqual(resultsIn((before[0] ?? '').replaceAll('TICKET-12', '$NFE_APP_SECRET')));
  });

  test('is told in the page and in the summary as a defect of the suite', async () => {
    const directory = await emptyDirectory();
    await write(directory, sampleResults(), { searchOf: searchFor('TICKET-12') });
    for (const name of ['index.html', 'summary.md'])
      expect(await readFile(join(directory, name), 'utf8')).toMatch(
        /A defect of the suite.* in results\.json, index\.html/,
      );
  });

  test('is replaced in texts alone where it reaches across several, so that the file can be read', async () => {
    const directory = await emptyDirectory();
    const results = { ...sampleResults(), filter: 'first half: x9', seed: 12_345_678 };
    const secret = 'x9", "seed": 1'.replaceAll(/[ "]/g, '');
    await write(directory, results, { searchOf: searchFor(secret) });
    expect(resultsIn(await readFile(join(directory, 'results.json'), 'utf8')).verdict).toBe(results.verdict);
  });

  test('is not sought where it is a word of every report, which would break what reads it', async () => {
    const directory = await emptyDirectory();
    for (const word of ['startedAt', 'conformant', 'exchanges', 'signature.path-prefix', '<!doctype html>']) {
      const { leaks } = await write(directory, sampleResults(), { searchOf: searchFor(word) });
      expect(leaks).toEqual([]);
    }
  });

  test('is not found in the address of a check in the page, where only a part of it stands', async () => {
    const directory = await emptyDirectory();
    const [id, shown] = ['echo.spends-no-token', { exchanges: [sampleExchange()] }];
    const results = judge(sampleFacts, [sampleClause(id)], [sampleOutcome(id, { ...sampleFailure, ...shown })]);
    const { leaks } = await write(directory, results, { searchOf: searchFor('made-o-token-1f3') });
    expect(await readFile(join(directory, 'index.html'), 'utf8')).toContain('"check-echo.spends-no-token-1');
    expect(leaks).toEqual([]);
  });

  test('is not sought in the script of the page', async () => {
    const directory = await emptyDirectory();
    const script = await pageScript();
    const { leaks } = await write(directory, sampleResults(), {
      searchOf: searchFor(script.slice(3000, 3040)),
    });
    expect(leaks).toEqual([]);
    expect(await readFile(join(directory, 'index.html'), 'utf8')).toContain(script);
  });

  test('is counted in the page: how many were sought, and that none is in it', async () => {
    const directory = await emptyDirectory();
    await write(directory, sampleResults(), { searchOf: searchFor('no such text') });
    const page = await readFile(join(directory, 'index.html'), 'utf8');
    expect(page).toMatch(/Secrets in this file.*>0<.*searched for 1\b/s);
    expect(page).not.toContain('A defect of the suite');
  });
});

/** Results as they were written. */
function resultsIn(json: string): Results {
  const results: unknown = JSON.parse(json);
  if (!isResults(results)) throw new Error('no results');
  return results;
}

test('results that don’t fit the schema are refused, and nothing is written', async () => {
  const directory = await emptyDirectory();
  const broken = { ...sampleResults(), durationMs: -1 };
  expect(() => write(directory, broken)).toThrow(/durationMs is -1/);
  expect(await readdir(directory)).toEqual([]);
});

test('a run that can’t write all its files leaves no part of one', async () => {
  const directory = await emptyDirectory();
  await write(join(directory, 'summary.md'), sampleResults());
  await expect(write(directory, sampleResults())).rejects.toThrow(/summary\.md/);
  expect((await readdir(directory)).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('what holds no secret is not copied: of results without one nothing, of others all but the way to it', () => {
  const results = sampleResults();
  expect(maskedResults(results, (text) => text)).toBe(results);
  const masked = maskedResults(results, (text) => text.replaceAll('TICKET-12', '$SECRET'));
  const index = results.clauses.findIndex(({ reason }) => reason === 'TICKET-12');
  expect(masked.clauses[index]).not.toBe(results.clauses[index]);
  expect(masked.clauses[index]?.checks).toBe(results.clauses[index]?.checks);
  expect(masked.clauses[index + 1]).toBe(results.clauses[index + 1]);
});

test('a secret that is the name of a level of assurance does not break what reads it', () => {
  const level: Results['level'] = { complete: 'secret', reached: [{ name: 'secret', exercised: 1, of: 1 }] };
  const masked = maskedResults({ ...sampleResults(), level }, (text) => text.replaceAll('secret', '$NFE_APP_SECRET'));
  expect(masked.level).toEqual(level);
});
