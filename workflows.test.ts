import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settingNames } from './runner/unknown-settings.ts';
import projectPackage from './package.json' with { type: 'json' };

const textOf = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8');
const nightly = textOf('.github/workflows/nightly.yml');
const texts = [nightly, textOf('.github/workflows/push.yml'), textOf('.github/nightly.sh')];

/** The steps of the nightly workflow, each from its dash on. */
const steps = nightly.split(/^ {6}- /m).slice(1);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nfe-nightly-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly output: string;
  readonly page: string;
}

/** What a step of the nightly workflow comes to; with `npm`, that script stands for npm. */
function step(words: readonly string[], { npm = '', summary = '', kept = '' } = {}): Ended {
  const [output, page, bin] = [join(folder, 'output'), join(folder, 'page'), join(folder, 'npm')];
  for (const file of [output, page]) writeFileSync(file, '');
  writeFileSync(bin, `#!/bin/sh\n${npm}\n`);
  chmodSync(bin, 0o755);
  writeFileSync(join(folder, 'summary.md'), summary);
  const env = {
    PATH: `${folder}:${process.env['PATH']}`,
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: page,
    NIGHTLY_PAUSE: '0',
    ...(summary === '' ? {} : { SUMMARY: join(folder, 'summary.md') }),
    ...(kept === '' ? {} : { KEPT: kept }),
  };
  const script = join(import.meta.dirname, '.github/nightly.sh');
  const { status, stdout } = spawnSync('bash', [script, ...words], { cwd: folder, env, encoding: 'utf8' });
  return { status, stdout, output: readFileSync(output, 'utf8'), page: readFileSync(page, 'utf8') };
}

const ending = (status: number): string[] => ['run', 'Homologacao', 'sh', '-c', `exit ${status}`];

describe('a nightly run', () => {
  test('that is conformant or incomplete is green', () => {
    expect(step(ending(0))).toMatchObject({ status: 0, output: 'state=tested\n', stdout: '' });
  });

  test('that finds the contract broken is red', () => {
    expect(step(ending(1))).toMatchObject({ status: 1, output: 'state=tested\n', stdout: '' });
  });

  test('that could not test the target is neither: it warns, and the page says so', () => {
    const { status, stdout, output, page } = step(ending(2));
    expect({ status, output }).toEqual({ status: 0, output: 'state=untested\n' });
    expect(stdout).toMatch(/^::warning title=Homologacao was not tested::.*says nothing of the contract\.\n$/);
    expect(page).toMatch(/^\*\*Homologacao was not tested\.\*\*/);
  });

  test('that ends in no way of the suite is red', () => {
    expect(step(ending(137)).status).toBe(137);
  });

  test.each([0, 1, 2])('shows its summary on the page, with status %j', (status) => {
    expect(step(ending(status), { summary: '## Verdict\n' }).page).toMatch(/## Verdict\n$/);
  });

  test('hands each word to the command as it is', () => {
    expect(step(['run', 'Shard 1/4', 'printf', '%s|', 'a b', '$HOME']).stdout).toBe('a b|$HOME|');
  });
});

describe('what is kept from night to night', () => {
  /** A folder with what a night has left. */
  function keptFolder(results?: string): string {
    const kept = mkdtempSync(join(folder, 'kept-'));
    if (results !== undefined) writeFileSync(join(kept, 'results.json'), results);
    return kept;
  }
  const run = (script: string): string[] => ['run', 'Homologacao', 'sh', '-c', script];
  const settings = run('echo "$NFE_HISTORY ${NFE_BASELINE-none}"');
  const night = (status: number): string[] =>
    run(`mkdir -p reports/out; echo tonight >reports/out/results.json; exit ${status}`);

  test('is the history, made in the first night', () => {
    const kept = join(folder, 'first');
    expect(step(settings, { kept }).stdout).toBe(`${kept}/history.jsonl none\n`);
    expect(existsSync(kept)).toBe(true);
  });

  test.each([0, 1])('is the results of the night before, as the baseline, whether it was red or not (%j)', (status) => {
    const kept = keptFolder('last night');
    const { stdout } = step(settings, { kept, npm: `exit ${status}` });
    expect(stdout).toBe(`${kept}/history.jsonl ${kept}/results.json\n`);
  });

  test('is no baseline where this edition of the suite can not read it', () => {
    const kept = keptFolder('of another format');
    const npm = `echo "$*" >asked; mkdir -p "${kept}/check"; exit 2`;
    expect(step(settings, { kept, npm }).stdout).toBe(`${kept}/history.jsonl none\n`);
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe(
      `run report -- --from ${kept}/results.json --out ${kept}/check\n`,
    );
    expect(readdirSync(kept)).toEqual(['results.json']);
  });

  test.each([
    ['conformant', 0, 'tonight\n'],
    ['nonconformant', 1, 'tonight\n'],
    ['untested', 2, 'last night'],
    ['broken off', 137, 'last night'],
  ])('is the results of the last night that tested the target: this one is %s', (_, status, text) => {
    const kept = keptFolder('last night');
    step(night(status), { kept });
    expect(readFileSync(join(kept, 'results.json'), 'utf8')).toBe(text);
  });

  test('is kept for each target by itself, in the folder that is cached', () => {
    const keeping = steps.filter((text) => /^ {10}KEPT: history$/m.test(text));
    expect(keeping.map((text) => /nightly\.sh run (.*)/.exec(text)?.[1])).toEqual([
      '"The container" npm run report -- --merge shards',
      'Homologacao npm test',
    ]);
    expect(nightly.match(/^ {10}path: history$/gm)).toHaveLength(4);
  });
});

describe('the proof of the suite', () => {
  test('is made by every job that publishes a report, right before it', () => {
    const names = steps.map((text) => /nightly\.sh (mutants|run "The container"|run Homologacao)/.exec(text)?.[1]);
    const proven = names.flatMap((name, at) => (name === 'mutants' ? [names[at + 1]] : []));
    expect(proven).toEqual(['run "The container"', 'run Homologacao']);
  });

  test('runs the mutants, and says nothing where each is caught', () => {
    const { status, stdout, output, page } = step(['mutants'], { npm: 'echo "$*" >asked' });
    expect({ status, stdout, output, page }).toEqual({ status: 0, stdout: '', output: '', page: '' });
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('run mutants\n');
  });

  test.each([1, 2])('that fails is a warning: the night is neither red nor untested (%j)', (status) => {
    const ended = step(['mutants'], { npm: `exit ${status}` });
    expect(ended).toMatchObject({ status: 0, output: '' });
    expect(ended.stdout).toMatch(/^::warning title=The suite was not proven::.*says nothing of the target\.\n$/);
    expect(ended.page).toMatch(/^\*\*The suite was not proven\.\*\*/);
  });
});

describe('the packages', () => {
  test('are installed in a second try where the first one fails', () => {
    const once = 'test -e tried || { touch tried; exit 1; }';
    expect(step(['install'], { npm: once })).toMatchObject({ status: 0, output: 'state=installed\n', stdout: '' });
  });

  test('that can not be installed leave the target untested, and the night not red', () => {
    const { status, stdout, output } = step(['install'], { npm: 'exit 1' });
    expect({ status, output }).toEqual({ status: 0, output: 'state=untested\n' });
    expect(stdout).toMatch(/^::warning title=The target was not tested::The packages could not be installed/);
  });
});

describe('the workflows', () => {
  test('reach secrets in one step only, which runs the suite', () => {
    const withSecrets = steps.filter((text) => text.includes('secrets.'));
    expect(withSecrets).toHaveLength(1);
    expect(withSecrets[0]).toMatch(/run: bash \.github\/nightly\.sh run Homologacao npm test\n/);
    expect(nightly.slice(0, nightly.indexOf('      - '))).not.toContain('secrets.');
    expect(texts.slice(1).join('')).not.toContain('secrets.');
  });

  test('use scripts of the project only', () => {
    const scripts = texts.flatMap((text) => [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name ?? ''));
    expect(scripts).toContain('report');
    for (const name of scripts) expect(Object.keys(projectPackage.scripts)).toContain(name);
  });

  test('set settings of the suite only', () => {
    const names = texts.flatMap((text) => text.match(/\bNFE_[A-Z_]+/g) ?? []);
    for (const name of names) expect(settingNames).toContain(name);
  });

  test('have a shard for each part that they divide the run into', () => {
    expect(nightly).toContain('shard: [1, 2, 3, 4]');
    expect(nightly).toContain('SHARD: ${{ matrix.shard }}/4');
  });
});
