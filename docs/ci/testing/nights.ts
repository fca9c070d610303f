import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** The folder of the project. */
export const project = join(import.meta.dirname, '../../..');

/** What a step of a night came to. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  /** What it told the steps after it. */
  readonly output: string;
  /** What it showed on the page of its job. */
  readonly page: string;
}

/** What a step is given. */
interface Given {
  /** Shell script that stands for npm. */
  readonly npm?: string;
  /** Text of the summary that a run has left. */
  readonly summary?: string;
  /** Folder of what is kept from night to night. */
  readonly kept?: string;
  /** The profile as a secret. */
  readonly archive?: string;
}

/** Steps of nights that are run in a folder of the test's own. */
export interface Nights {
  /** That folder, empty when a test begins. */
  readonly folder: () => string;
  /** Runs a step of the nightly workflow. */
  readonly step: (words: readonly string[], given?: Given) => Ended;
  /** A folder with what a night has left. */
  readonly keptFolder: (results?: string) => string;
}

/** Steps of nights for the tests of a file. */
export function nightsForTests(): Nights {
  let [root, folder] = ['', ''];
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'nfe-nightly-'));
  });
  beforeEach(() => {
    folder = mkdtempSync(join(root, 'test-'));
  });
  afterAll(() => {
    rmSync(root, { recursive: true });
  });
  return {
    folder: () => folder,
    step: (words, given = {}) => stepIn(folder, words, given),
    keptFolder: (results) => {
      const kept = mkdtempSync(join(folder, 'kept-'));
      if (results !== undefined) writeFileSync(join(kept, 'results.json'), results);
      return kept;
    },
  };
}

function stepIn(folder: string, words: readonly string[], { npm = '', summary, kept, archive }: Given): Ended {
  const [output, page] = [join(folder, 'output'), join(folder, 'page')];
  for (const file of [output, page]) writeFileSync(file, '');
  if (summary !== undefined) writeFileSync(join(folder, 'summary.md'), summary);
  const env = {
    PATH: `${binWith(folder, npm)}:${process.env['PATH']}`,
    GITHUB_ACTIONS: 'true',
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: page,
    NIGHTLY_PAUSE: '0',
    ...(summary === undefined ? {} : { SUMMARY: join(folder, 'summary.md') }),
    ...(kept === undefined ? {} : { KEPT: kept }),
    ...(archive === undefined ? {} : { PROFILE_ARCHIVE: archive }),
  };
  const script = join(project, '.github/nightly.sh');
  const { status, stdout } = spawnSync('bash', [script, ...words], { cwd: folder, env, encoding: 'utf8' });
  return { status, stdout, output: readFileSync(output, 'utf8'), page: readFileSync(page, 'utf8') };
}

/** A folder of programs in which a shell script stands for npm. */
export function binWith(folder: string, npm: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${npm}\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  return bin;
}
