import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { errorResults, judge } from '../reports/judge.ts';
import {
  sampleClause,
  sampleExchange,
  sampleFacts,
  sampleOutcome,
  sampleResults,
} from '../reports/testing/sample-run.ts';
import { results as resultsSchema, type Results } from '../schemas/results.ts';
import { ArgumentError } from '../runner/command-line/argument-error.ts';
import { type OpenFile, reportCommand, launched } from './report.ts';
import type { EndedProcess } from '../runner/testing/warm-process.ts';
import { childEnvironment, warmly } from '../runner/testing/warm.ts';
import { newFolder } from '../runner/testing/folders.ts';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { addRun, lineOf } from '../runner/results/history-file.ts';

const conformant = judge(sampleFacts, [sampleClause('echo.a')], [sampleOutcome('echo.a')]);
const incomplete = judge(
  sampleFacts,
  [sampleClause('echo.a')],
  [sampleOutcome('echo.a', { state: 'not-exercised', reason: 'needs a clock' })],
);
const inError = errorResults(sampleFacts, 'ECONNREFUSED', 'network');
const earlier = { ...conformant, seed: 7, startedAt: '2026-11-20T02:00:00.000Z' };
const rendered = ['badge.json', 'ctrf.json', 'index.html', 'junit.xml', 'results.json', 'summary.md'];
const unset = { NFE_REPORT_DIR: 'reports/none', NFE_HISTORY: '', NFE_BASELINE: '' };

/** A folder with a `results.json`, as a run leaves it. */
function folderOf(results: unknown): string {
  const folder = newFolder();
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  return folder;
}

function report(words: readonly string[], settings: Record<string, string> = {}): Promise<EndedProcess> {
  return warmly({ command: 'report', words, env: { ...childEnvironment(), ...unset, ...settings } });
}

const textIn = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');

/** The command without a process of its own: what it would open, print and warn of. */
async function inProcess(words: readonly string[], reportDir: string, open: OpenFile = () => Promise.resolve()) {
  const [opened, printed, warned]: string[][] = [[], [], []];
  const quiet = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => quiet.mockRestore());
  const status = await reportCommand(words, {
    environment: () => ({ NFE_REPORT_DIR: reportDir }),
    open: (path) => (opened?.push(path), open(path)),
    print: (text) => void printed?.push(text),
    warn: (text) => void warned?.push(text),
  });
  quiet.mockRestore();
  return { status, opened, printed, warned };
}

describe('a run that is rendered again', () => {
  test.each<[string, Results, Record<string, string>, number]>([
    ['conformant', conformant, {}, 0],
    ['incomplete where it must not be', incomplete, { NFE_REQUIRE_COMPLETE: 'true' }, 1],
    ['short of the level that is required', incomplete, { NFE_REQUIRE_LEVEL: 'secret' }, 1],
    ['nonconformant', sampleResults(), {}, 1],
    ['in error', inError, {}, 2],
  ])('ends with the status of npm test, all reports beside it: %s', async (_, results, settings, status) => {
    const folder = folderOf(results);
    const before = textIn(folder, 'results.json');
    const ended = await report(['--from', join(folder, 'results.json')], settings);
    expect(ended.status).toBe(status);
    const scripts =
      status === 1 && results.verdict === 'nonconformant' ? ['repeat-retirement.before-subscription.mjs'] : [];
    expect(readdirSync(folder).toSorted()).toEqual([...rendered, ...scripts].toSorted());
    expect(textIn(folder, 'results.json')).toBe(before);
    expect(ended.stderr).toBe(results.verdict === 'error' ? 'error: ECONNREFUSED\n' : '');
    expect(ended.stdout).toMatch(/^Reports: .*index\.html/m);
  });

  test('leaves a file that somebody has formatted in another way as it is', async () => {
    const folder = newFolder();
    const text = JSON.stringify(conformant);
    writeFileSync(join(folder, 'results.json'), text);
    expect((await report(['--from', join(folder, 'results.json'), '--out', folder])).status).toBe(0);
    expect(textIn(folder, 'results.json')).toBe(text);
    expect(textIn(folder, 'badge.json')).toContain('1/1 must clauses');
  });

  test('goes to another folder where one is named, its results with it', async () => {
    const [folder, out] = [folderOf(conformant), join(newFolder(), 'new')];
    expect((await report(['--from', join(folder, 'results.json'), '--out', out])).status).toBe(0);
    expect(readdirSync(folder)).toEqual(['results.json']);
    expect(readdirSync(out).toSorted()).toEqual(rendered);
  });

  test('takes all evidence to the other folder, also what reports don’t show, but no secret', async () => {
    const exchanges = ['/first', '/s3cr3t-key', '/last'].map((target) => {
      const exchange = sampleExchange();
      return { ...exchange, request: { ...exchange.request, target } };
    });
    const run = judge(sampleFacts, [sampleClause('echo.a')], [sampleOutcome('echo.a', { exchanges })]);
    const [folder, out] = [folderOf(run), newFolder()];
    await report(['--from', join(folder, 'results.json'), '--out', out], { NFE_APP_SECRET: 's3cr3t-key' });
    expect(textIn(out, 'results.json')).toBe(
      textIn(folder, 'results.json').replaceAll('s3cr3t-key', '$NFE_APP_SECRET'),
    );
    expect(textIn(out, 'results.json')).toContain('/$NFE_APP_SECRET');
  });

  test('goes to another folder without a secret, also where its results have it escaped', async () => {
    const [folder, out] = [folderOf({ ...conformant, filter: '--clause s3cr3t-key' }), newFolder()];
    const path = join(folder, 'results.json');
    writeFileSync(path, textIn(folder, 'results.json').replace('s3cr3t-key', String.raw`s3\u0063r3t-key`));
    const { status, stderr } = await report(['--from', path, '--out', out], { NFE_APP_SECRET: 's3cr3t-key' });
    expect([status, stderr]).toEqual([0, '']);
    expect(textIn(out, 'results.json')).toContain('"--clause $NFE_APP_SECRET"');
  });

  test('does not replace the results of another run beside it, though they are as long', async () => {
    const folder = folderOf({ ...conformant, seed: 1111 });
    writeFileSync(join(folder, 'night.json'), textIn(folder, 'results.json').replace('1111', '2222'));
    const ended = await report(['--from', join(folder, 'night.json')]);
    expect(ended.stderr).toMatch(/^error: .*results\.json is of another run than .*night\.json: .* --out\n$/);
    expect(ended.status).toBe(2);
    expect(readdirSync(folder).toSorted()).toEqual(['night.json', 'results.json']);
  });

  test('lies beside a copy of itself without touching either', async () => {
    const folder = folderOf(conformant);
    cpSync(join(folder, 'results.json'), join(folder, 'night.json'));
    expect((await report(['--from', join(folder, 'night.json')])).status).toBe(0);
    expect(readdirSync(folder).toSorted()).toEqual([...rendered, 'night.json'].toSorted());
  });

  test('is compared with the baseline that is named, or with that of the settings', async () => {
    const [folder, before] = [folderOf(sampleResults()), join(folderOf(earlier), 'results.json')];
    const from = ['--from', join(folder, 'results.json')];
    await report([...from, '--baseline', before]);
    expect(textIn(folder, 'summary.md')).toContain('What changed');
    await report(from);
    expect(textIn(folder, 'summary.md')).not.toContain('What changed');
    await report(from, { NFE_BASELINE: before });
    expect(textIn(folder, 'summary.md')).toContain('What changed');
  });

  test.each([
    ['that is named', (file: string) => [['--history', file], {}] as const],
    ['of the settings', (file: string) => [[], { NFE_HISTORY: file }] as const],
  ])('is shown in the history %s, and not added to it', async (_, asked) => {
    const [folder, file] = [folderOf(conformant), join(newFolder(), 'history.jsonl')];
    addRun(file, lineOf(earlier));
    const before = readFileSync(file, 'utf8');
    const [words, settings] = asked(file);
    expect(await report(['--from', join(folder, 'results.json'), ...words], settings)).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(textIn(folder, 'summary.md')).toContain('What changed');
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(existsSync(join(folder, 'history.jsonl'))).toBe(false);
  });

  test('shows no secret of the settings, even where the run did not know it', async () => {
    const folder = folderOf({ ...conformant, target: { ...conformant.target, profile: 'profiles/s3cr3t-key' } });
    await report(['--from', join(folder, 'results.json')], { NFE_APP_SECRET: 's3cr3t-key' });
    expect(textIn(folder, 'index.html')).not.toContain('s3cr3t-key');
    expect(textIn(folder, 'index.html')).toContain('profiles/$NFE_APP_SECRET');
  });
});

describe('one line refuses', () => {
  test.each([
    [['--from', '$/none.json'], /none\.json can't be read \(ENOENT\)/],
    [['--from', '$/torn.json'], /torn\.json is not JSON/],
    [['--from', '$/foreign.json'], /foreign\.json is not a results\.json of this suite/],
    [['--from', '$'], /can't be read \(EISDIR\)/],
    [['--from', '$/results.json', '--baseline', '$/none.json'], /none\.json can't be read \(ENOENT\)/],
    [['--from', '$/results.json', '--history', '$/none.jsonl'], /--history .*none\.jsonl: there is no such file/],
    [['--from', '$/results.json', '--merge', '$'], /--from and --merge exclude each other/],
    [['--from', ''], /--from takes a results\.json; usage: npm run report/],
    [['--from', '$/results.json', '--out', ''], /--out takes a folder/],
    [
      ['--from', '$/results.json', '--out', '/dev/null/x'],
      /^\/dev\/null\/x can't be written \(ENOTDIR\): reports need another folder, which --out names$/,
    ],
    [['--from', '$/results.json', '--baseline', ''], /--baseline takes a results\.json/],
    [['--from', '$/results.json', '--history', ''], /--history takes a file/],
    [['--open', '--out', '$'], /--out goes with --from or --merge/],
    [['--open'], /reports\/none\/index\.html is not there to be opened: npm test writes it/],
    [[], /a results\.json, or a folder of them, is to be named; usage: npm run report/],
    [['--yaml'], /Unknown option '--yaml'/],
  ])('%j', async (words, message) => {
    const folder = folderOf(conformant);
    writeFileSync(join(folder, 'foreign.json'), '{"secret": "s3cr3t-key"}');
    writeFileSync(join(folder, 'torn.json'), '{"secret": "s3cr3t-key');
    const refused = inProcess(
      words.map((word) => word.replace('$', folder)),
      'reports/none',
    );
    await expect(refused).rejects.toThrow(ArgumentError);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow(/s3cr3t-key|\n/);
    expect(readdirSync(folder).toSorted()).toEqual(['foreign.json', 'results.json', 'torn.json']);
  });
});

const noBrowser = () => Promise.reject(new Error('spawn xdg-open ENOENT'));

describe('--open', () => {
  test('alone opens the last report', async () => {
    const folder = folderOf(conformant);
    writeFileSync(join(folder, 'index.html'), '');
    const { status, opened } = await inProcess(['--open'], folder);
    expect({ status, opened }).toEqual({ status: 0, opened: [resolve(folder, 'index.html')] });
  });

  test('opens the report that was rendered, and the status stays that of the run', async () => {
    const [folder, out] = [folderOf(sampleResults()), newFolder()];
    const words = ['--from', join(folder, 'results.json'), '--out', out, '--open'];
    const { status, opened } = await inProcess(words, 'reports/none');
    expect({ status, opened }).toEqual({ status: 1, opened: [resolve(out, 'index.html')] });
  });

  test('without a browser warns where a report was rendered, and fails where nothing else was asked for', async () => {
    const folder = folderOf(conformant);
    const { status, warned } = await inProcess(['--from', join(folder, 'results.json'), '--open'], folder, noBrowser);
    expect(status).toBe(0);
    expect(warned).toEqual([
      expect.stringMatching(/^warning: no browser could be started \(.*ENOENT\): open .*html yourself$/),
    ]);
    await expect(inProcess(['--open'], folder, noBrowser)).rejects.toThrow(/^no browser could be started/);
  });
});

test('--schema prints the schema of results.json, whatever the settings are', async () => {
  const { printed } = await inProcess(['--schema'], '');
  const schema: unknown = JSON.parse(printed?.join('') ?? '');
  expect(schema).toMatchObject({ $id: 'urn:nfe-conformance:results@1', required: resultsSchema.required });
});

/** A launcher that does this; it is gone after the test. */
function launcher(script: string): ChildProcess {
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Longer than a test may take: who waits so long fails. */
const longMs = 60_000;
const staying = 'setInterval(() => {}, 1000)';

describe('the launcher of a browser', { timeout: 20_000 }, () => {
  test('that ends with a status other than 0 has failed, and the status is told', async () => {
    await expect(launched(launcher('process.exit(3)'), longMs)).rejects.toThrow(/^node\S* ended with status 3$/);
  });

  test('that is killed has failed, and the signal is told', async () => {
    const child = launcher(staying);
    const ended = launched(child, longMs);
    child.kill('SIGKILL');
    await expect(ended).rejects.toThrow(/ended by SIGKILL$/);
  });

  test('that can’t be started has failed', async () => {
    await expect(launched(spawn(join(newFolder(), 'nothing')), longMs)).rejects.toThrow('ENOENT');
  });

  test('that has failed before it is looked at has failed', async () => {
    const child = launcher('process.exit(1)');
    await once(child, 'exit');
    await expect(launched(child, longMs)).rejects.toThrow('with status 1');
  });

  test('that has ended well before it is looked at is not waited for', async () => {
    const child = launcher('');
    await once(child, 'exit');
    await expect(launched(child, longMs)).resolves.toBeUndefined();
  });

  test('that ends well is waited for no longer', async () => {
    await expect(launched(launcher(''), longMs)).resolves.toBeUndefined();
  });

  test('that stays, as some do until the browser is closed, is not waited for', async () => {
    const child = launcher(staying);
    await expect(launched(child, 1)).resolves.toBeUndefined();
    expect(child.exitCode).toBeNull();
  });
});

test('npm run report -- --open says so in one line where no browser can be started, with status 2', () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'index.html'), '');
  // Without a path no browser is found, nor what looks for one.
  const { status, stdout, stderr } = spawnSync(process.execPath, ['desk/main.ts', 'report', '--open'], {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
    env: { PATH: newFolder(), NFE_REPORT_DIR: folder },
  });
  expect(stderr).toMatch(/^error: no browser could be started \(.+\): open \/.*index\.html yourself\n$/);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
});
