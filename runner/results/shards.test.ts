import fc from 'fast-check';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogue, isJudged } from '../../contract/catalogue.ts';
import { errorResults, judge } from '../../reports/judge.ts';
import { sampleFacts, sampleFailure, sampleOutcome } from '../../reports/testing/sample-run.ts';
import type { Results } from '../../schemas/results.ts';
import { readArguments, filterText, selectClauses, clausesOfShard, readShard } from '../command-line/arguments.ts';
import { childEnvironment, warmly } from '../testing/warm.ts';
import { newFolder } from '../testing/folders.ts';
import { mutantRules, npmTest, withForeign } from '../testing/runs.ts';
import { mergedRun, readShards } from './shards.ts';
import { troublesOf } from '../../reports/troubles.ts';

const judged = catalogue.filter(isJudged);

const counts = fc.integer({ min: 1, max: 100 });

function shardsOf(count: number): ReturnType<typeof clausesOfShard>[] {
  return Array.from({ length: count }, (_, position) => clausesOfShard(catalogue, { index: position + 1, count }));
}

test('every clause is in exactly one shard', () => {
  fc.assert(
    fc.property(counts, (count) => {
      const ids = shardsOf(count).flatMap((clauses) => clauses.map(({ id }) => id));
      expect(ids.toSorted()).toEqual(catalogue.map(({ id }) => id).toSorted());
    }),
  );
});

test('shards differ by one judged clause at most, and keep the order of the catalogue', () => {
  fc.assert(
    fc.property(counts, (count) => {
      const shards = shardsOf(count);
      const sizes = shards.map((clauses) => clauses.filter(isJudged).length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      for (const clauses of shards) expect(clauses).toEqual(catalogue.filter((clause) => clauses.includes(clause)));
    }),
  );
});

test('what no run judges is listed by the first shard', () => {
  const [first = [], ...others] = shardsOf(3);
  expect(first.filter((clause) => !isJudged(clause))).toHaveLength(catalogue.length - judged.length);
  expect(others.flat().every(isJudged)).toBe(true);
});

describe('one line refuses', () => {
  test.each([
    ['', /--shard takes a part and the number of parts, such as 1\/4, not /],
    ['1', /such as 1\/4, not 1/],
    ['1/4/2', /such as 1\/4, not 1\/4\/2/],
    ['-1/4', /such as 1\/4, not -1\/4/],
    ['1.5/4', /such as 1\/4, not/],
    ['0/4', /the part is one of 1 to 4/],
    ['5/4', /the part is one of 1 to 4/],
    ['1/0', /a run has 1 to 100 parts/],
    ['1/101', /a run has 1 to 100 parts/],
  ])('the shard "%s"', (text, message) => {
    expect(() => readShard(text)).toThrow(message);
  });

  test.each([
    ['--check', ['--check', 'any', '--clause', 'token.verbatim']],
    ['--path', ['--path', '0:1', '--seed', '1', '--clause', 'token.verbatim']],
  ])('a shard with %s', (_, words) => {
    expect(() => readArguments([...words, '--shard', '1/2'])).toThrow(/it goes with neither --check nor --path/);
  });

  test('more shards than clauses to judge', () => {
    const asked = readArguments(['--clause', 'token.verbatim', '--shard', '2/2']);
    expect(() => selectClauses(asked)).toThrow(/--shard 2\/2: only 1 of the clauses asked for can be judged/);
  });
});

/** A folder with these files. */
function folderOf(files: Record<string, unknown>): string {
  const folder = newFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

function merged(files: Record<string, unknown>, out = 'elsewhere'): Results {
  return mergedRun(readShards(folderOf(files), out));
}

test('a server that breaks the contract has the same verdicts by shards, merged by npm run report, as by one run', async () => {
  const words = ['--topic', 'token', '--topic', 'echo'];
  await withForeign(mutantRules('token.last-character-ignored'), async (settings) => {
    const fixed = { ...settings, NFE_NUM_RUNS: '1', NFE_SEED: '7' };
    const one = await npmTest(fixed, ...words);
    const shards = await Promise.all(['1/2', '2/2'].map((shard) => npmTest(fixed, ...words, '--shard', shard)));
    const files = Object.fromEntries(shards.map(({ results }, at) => [`${at}/results.json`, results]));
    const folder = folderOf(files);
    const report = {
      command: 'report',
      words: ['--merge', folder, '--out', newFolder()],
      env: childEnvironment(),
    } as const;
    expect((await warmly(report)).status).toBe(1);
    const all = merged(files);
    const verdictsOf = (results: Results | undefined) => results?.clauses.map(({ id, verdict }) => [id, verdict]);
    expect(verdictsOf(all)).toEqual(verdictsOf(one.results));
    expect([all.verdict, all.filter, all.counts]).toEqual(['nonconformant', one.results?.filter, one.results?.counts]);
  });
});

/** What a shard of the echo topic would write. */
function shardOf(
  shard: string,
  { topic = 'echo', failing = '', ...rest }: { topic?: string; failing?: string } & object = {},
) {
  const asked = readArguments(['--topic', topic, '--shard', shard]);
  const clauses = selectClauses(asked);
  const outcomes = clauses.filter(isJudged).map(({ id }) => sampleOutcome(id, id === failing ? sampleFailure : {}));
  return judge({ ...sampleFacts, filter: filterText(asked) ?? '', ...rest }, clauses, outcomes);
}

const target = (rest: Partial<Results['target']>) => ({ target: { ...sampleFacts.target, ...rest } });
const first = shardOf('1/2');
const inError = errorResults({ ...sampleFacts, filter: '--topic echo --shard 2/2' }, 'ECONNREFUSED', 'network');

test('results are found in any folder below, but for an earlier report in the folder of this one', () => {
  const files = { 'a/b/results.json': first, 'c/results.json': shardOf('2/2') };
  const all = merged(files);
  expect([all.verdict, all.filter]).toEqual(['conformant', '--topic echo']);
  const folder = folderOf({ ...files, 'all/results.json': all });
  expect(readShards(folder, join(folder, 'all'))).toHaveLength(2);
  const plain = folderOf(files);
  expect(() => readShards(plain, join(plain, 'c'))).toThrow(/holds results of a shard, which the report would replace/);
});

test.each<[string, Record<string, unknown>, string, string]>([
  ['left no results', {}, 'shard 2/2 left no results', 'was not run: shard 2/2 left no results'],
  [
    'could not reach the target',
    { 'b/results.json': inError },
    '--topic echo --shard 2/2: ECONNREFUSED',
    'was not run: shard 2/2 ended in an error: ECONNREFUSED',
  ],
])('a shard that %s makes the run an error, and its clauses are not exercised', (_, files, error, reason) => {
  const all = merged({ 'a/results.json': first, ...files });
  expect([all.verdict, all.error]).toEqual(['error', error]);
  const open = all.clauses.filter(({ verdict }) => verdict === 'not-exercised');
  expect(new Set(open.map((clause) => clause.reason))).toEqual(new Set([reason]));
});

test('a failure makes the run nonconformant, also beside a shard that ended in an error', () => {
  const failing = shardOf('1/2', { failing: first.clauses.find(({ checks }) => checks.length > 0)?.id ?? '' });
  const all = merged({ 'a/results.json': failing, 'b/results.json': inError });
  expect(all.verdict).toBe('nonconformant');
  expect(troublesOf(all)).toMatchObject([
    { whose: 'target', failed: 1, open: 0 },
    { whose: 'network', failed: 0 },
  ]);
});

const second = (rest: object): Record<string, unknown> => ({
  'a/results.json': first,
  'b/results.json': shardOf('2/2', rest),
});

test.each<[string, Record<string, unknown>, RegExp]>([
  [
    'another number of shards',
    { 'a/results.json': first, 'b/results.json': shardOf('2/3') },
    /its number of shards is 3/,
  ],
  ['another version', second({ suite: { version: '0.2.0', commit: 'b' } }), /its suite is 0\.2\.0, not 0\.1\.0/],
  ['another commit', second({ suite: { version: '0.1.0', commit: 'b' } }), /its commit of the suite is b, not 1a2b3c/],
  ['another filter', second({ topic: 'token' }), /its filter is --topic token, not --topic echo/],
  ['another kind of target', second(target({ kind: 'embedded' })), /its target is embedded, not sandbox/],
  ['another server', second(target({ baseUrl: 'http://other' })), /its address is http:\/\/other, not/],
  ['another implementation', second(target({ implementation: 'x 2' })), /its implementation is x 2, not simulator/],
  ['another use of the control API', second(target({ control: false })), /its control API is not used, not used/],
  ['another profile', second(target({ profile: 'p' })), /its profile is p, not profiles\/default/],
  ['another number of cases', second({ numRuns: 3 }), /its number of cases is 3, not 100/],
  ['another seed', second({ seed: 3 }), /its seed \(give every shard the same --seed\) is 3, not 1729/],
  ['a shard twice', { 'a/results.json': first, 'b/results.json': first }, /are both shard 1\/2/],
  ['a whole run', { 'results.json': { ...first, filter: '--topic echo' } }, /was not divided: only what --shard wrote/],
  [
    'a strange filter',
    { 'results.json': { ...first, filter: '--shard 1/2 --new' } },
    /edition of the suite can't read/,
  ],
  [
    'other clauses',
    { 'results.json': { ...first, clauses: first.clauses.slice(1) } },
    /holds other clauses than shard/,
  ],
  ['no results', { 'junit.xml': '' }, /there is no results\.json of a shard, here or in a folder below/],
])('what are no shards of one run is refused in one line: %s', (_, files, message) => {
  expect(() => merged(files)).toThrow(message);
});
