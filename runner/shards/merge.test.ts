import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorResults, judge } from '../../reports/judge.ts';
import { sampleFacts, sampleFailure, sampleOutcome } from '../../reports/sample-run.ts';
import { troublesOf } from '../../reports/troubles.ts';
import { isResults } from '../../schemas/is-results.ts';
import type { Results } from '../../schemas/results.ts';
import { isJudged } from '../../contract/catalogue.ts';
import { readArguments } from '../command-line/arguments.ts';
import { filterText, selectClauses } from '../command-line/select.ts';
import { childEnvironment, warmly } from '../testing/warm.ts';
import { newFolder } from '../testing/folders.ts';
import { mutantRules, npmTest, withForeign } from '../testing/runs.ts';

interface Reported {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly results: Results | undefined;
  readonly files: readonly string[];
}

/** Writes files, merges their folder, and gives what came of it. */
async function merge(files: Record<string, unknown>, ...words: string[]): Promise<Reported> {
  const [folder, out] = [newFolder(), newFolder()];
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const { status, stdout, stderr } = await warmly({
    command: 'report',
    words: ['--merge', folder, '--out', out, ...words.map((word) => word.replace('$DIR', folder))],
    env: childEnvironment(),
  });
  const written = readdirSync(out).toSorted();
  const parsed: unknown = written.includes('results.json')
    ? JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'))
    : undefined;
  return { status, stdout, stderr, files: written, results: isResults(parsed) ? parsed : undefined };
}

const verdictsOf = (results: Results | undefined) => results?.clauses.map(({ id, verdict }) => [id, verdict]);

describe.concurrent('shards that ran merge to the verdicts of one run', () => {
  const words = ['token', 'echo', 'webhook-signature'].flatMap((topic) => ['--topic', topic]);

  async function both(settings: Record<string, string>): Promise<{ one: Results | undefined; merged: Reported }> {
    const fixed = { ...settings, NFE_NUM_RUNS: '1', NFE_SEED: '7' };
    const one = await npmTest(fixed, ...words);
    const files: Record<string, unknown> = {};
    for (const shard of ['1/2', '2/2']) {
      const { results } = await npmTest(fixed, ...words, '--shard', shard);
      files[`${shard.replace('/', 'of')}/results.json`] = results;
    }
    return { one: one.results, merged: await merge(files) };
  }

  test('the embedded target', async () => {
    const { one, merged } = await both({});
    expect(one?.verdict).toBe('conformant');
    expect(merged.status).toBe(0);
    expect(merged.results?.verdict).toBe('conformant');
    expect(merged.results?.filter).toBe(one?.filter);
    expect(verdictsOf(merged.results)).toEqual(verdictsOf(one));
    expect(merged.results?.counts).toEqual(one?.counts);
  });

  test('a foreign server that breaks the contract', async () => {
    await withForeign(mutantRules('token.last-character-ignored'), async (settings) => {
      const { one, merged } = await both(settings);
      expect(merged).toMatchObject({ status: 1, results: { verdict: 'nonconformant' } });
      expect(verdictsOf(merged.results)).toEqual(verdictsOf(one));
    });
  });
});

/** What a shard of the echo topic would write. */
function shardOf(
  shard: string,
  { topic = 'echo', failing = '', ...rest }: { topic?: string; failing?: string } & object = {},
) {
  const asked = readArguments(['--topic', topic, '--shard', shard]);
  const clauses = selectClauses(asked);
  const judged = clauses.filter(isJudged).map(({ id }) => id);
  const outcomes = judged.map((id) => sampleOutcome(id, id === failing ? sampleFailure : {}));
  return judge({ ...sampleFacts, filter: filterText(asked) ?? '', ...rest }, clauses, outcomes);
}

const target = (rest: Partial<Results['target']>) => ({ target: { ...sampleFacts.target, ...rest } });
const { implementation: _, ...unnamed } = sampleFacts.target;
const unknownImplementation = { target: unnamed };
const first = shardOf('1/2');

test('every report is written and the run added to the history, from results in any folder below', async () => {
  const { status, stdout, files } = await merge({ 'a/b/results.json': first, 'c/results.json': shardOf('2/2') });
  expect(files).toEqual([
    'badge.json',
    'ctrf.json',
    'history.jsonl',
    'index.html',
    'junit.xml',
    'results.json',
    'summary.md',
  ]);
  expect(stdout).toMatch(/Conformant, as far as asked for \(--topic echo\)/);
  expect(status).toBe(0);
});

test('a report merged before into the same folder is replaced', async () => {
  const { results: merged } = await merge({ 'a/results.json': first, 'b/results.json': shardOf('2/2') });
  const files = { 'a/results.json': first, 'b/results.json': shardOf('2/2'), 'all/results.json': merged };
  expect((await merge(files, '--out', '$DIR/all')).status).toBe(0);
});

test('a shard that is not there ends the report with status 2, and its clauses are not exercised', async () => {
  const { status, stdout, stderr, results } = await merge({ 'results.json': first });
  expect({ status, verdict: results?.verdict }).toEqual({ status: 2, verdict: 'error' });
  expect(stderr).toBe('error: shard 2/2 left no results\n');
  expect(stdout).toMatch(
    /Error: shard 2\/2 left no results; what was judged until then stands: \d+ of \d+ must clauses/,
  );
  const reasons = results?.clauses.map(({ reason }) => reason).filter((reason) => reason !== undefined);
  expect(new Set(reasons)).toEqual(new Set(['was not run: shard 2/2 left no results']));
});

test('a shard that could not reach the target ends the report with status 2', async () => {
  const broken = errorResults({ ...sampleFacts, filter: '--topic echo --shard 2/2' }, 'ECONNREFUSED', 'network');
  const { status, stderr, results } = await merge({ 'a/results.json': first, 'b/results.json': broken });
  expect({ status, verdict: results?.verdict }).toEqual({ status: 2, verdict: 'error' });
  expect(stderr).toBe('error: --topic echo --shard 2/2: ECONNREFUSED\n');
});

test('a failure ends the report with status 1, also beside a shard that ended in an error', async () => {
  const broken = errorResults({ ...sampleFacts, filter: '--topic echo --shard 2/2' }, 'ECONNREFUSED', 'network');
  const failing = shardOf('1/2', { failing: first.clauses.find(({ checks }) => checks.length > 0)?.id ?? '' });
  const { status, results } = await merge({ 'a/results.json': failing, 'b/results.json': broken });
  expect(status).toBe(1);
  const open = results?.clauses.filter(({ verdict }) => verdict === 'not-exercised') ?? [];
  expect(new Set(open.map(({ reason }) => reason))).toEqual(
    new Set(['was not run: shard 2/2 ended in an error: ECONNREFUSED']),
  );
  expect(results && troublesOf(results)).toMatchObject([
    { whose: 'target', failed: 1, open: 0 },
    { whose: 'network', failed: 0, open: open.length },
  ]);
});

describe('one line refuses, with status 2,', () => {
  const second = (rest: object): Record<string, unknown> => ({
    'a/results.json': first,
    'b/results.json': shardOf('2/2', rest),
  });
  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'another number of shards',
      { 'a/results.json': first, 'b/results.json': shardOf('2/3') },
      /its number of shards is 3, not 2/,
    ],
    [
      'another version of the suite',
      second({ suite: { version: '0.2.0', commit: 'bbbb' } }),
      /its suite is 0\.2\.0, not 0\.1\.0/,
    ],
    [
      'another commit of the suite',
      second({ suite: { version: '0.1.0', commit: 'bbbb' } }),
      /its commit of the suite is bbbb, not 1a2b3c4d5e6f/,
    ],
    ['another filter', second({ topic: 'token' }), /its filter is --topic token, not --topic echo/],
    ['another kind of target', second(target({ kind: 'embedded' })), /its target is embedded, not sandbox/],
    ['another server', second(target({ baseUrl: 'http://other' })), /its address is http:\/\/other, not/],
    ['another implementation', second(target({ implementation: 'x 2' })), /its implementation is x 2, not simulator/],
    [
      'another implementation than the first shard that knows it',
      {
        'a/results.json': errorResults(
          { ...sampleFacts, ...unknownImplementation, filter: '--topic echo --shard 1/3' },
          'ECONNREFUSED',
          'network',
        ),
        'b/results.json': shardOf('2/3'),
        'c/results.json': shardOf('3/3', target({ implementation: 'x 2' })),
      },
      /c\/results\.json is no part of the run of .*b\/results\.json: its implementation is x 2, not simulator/,
    ],
    ['another use of the control API', second(target({ control: false })), /its control API is not used, not used/],
    ['another profile', second(target({ profile: 'p' })), /its profile is p, not profiles\/default/],
    ['another number of cases', second({ numRuns: 3 }), /its number of cases is 3, not 100/],
    ['another seed', second({ seed: 3 }), /its seed \(give every shard the same --seed\) is 3, not 1729/],
    ['a shard twice', { 'a/results.json': first, 'b/results.json': first }, /are both shard 1\/2/],
    [
      'a whole run',
      { 'results.json': { ...first, filter: '--topic echo' } },
      /was not divided: only what --shard wrote/,
    ],
    [
      'a filter that it can not read',
      { 'results.json': { ...first, filter: '--shard 1/2 --new' } },
      /edition of the suite can't read/,
    ],
    [
      'other clauses',
      { 'results.json': { ...first, clauses: first.clauses.slice(1) } },
      /holds other clauses than shard 1\/2/,
    ],
    ['what is no JSON', { 'results.json': 'secret=1729' }, /results\.json is not JSON/],
    ['what are no results', { 'results.json': { secret: 's3cr3t' } }, /is not a results\.json of this suite/],
    [
      'a folder without results',
      { 'junit.xml': '' },
      /there is no results\.json of a shard, here or in a folder below/,
    ],
  ])('%s', async (_, files, message) => {
    const { status, stderr, results } = await merge(files);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).not.toMatch(/secret=|s3cr3t/);
    expect({ status, results }).toEqual({ status: 2, results: undefined });
  });

  test('to write over the results of a shard', async () => {
    const { stderr } = await merge({ 'a/results.json': first }, '--out', '$DIR/a');
    expect(stderr).toMatch(/--out .*\/a holds results of a shard, which the report would replace/);
  });

  test.each([
    [['--out', ''], /--out takes a folder/],
    [['--merge', ''], /--merge takes a folder; usage: npm run report/],
    [['--merge', '/none'], /--merge \/none: the folder can't be read \(ENOENT\)/],
    [['--yaml'], /Unknown option '--yaml'/],
  ])('%j', async (words, message) => {
    expect((await merge({ 'results.json': first }, ...words)).stderr).toMatch(message);
  });
});
