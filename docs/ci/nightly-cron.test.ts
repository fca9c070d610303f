import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { binWith, nightsForTests, project } from './testing/nights.ts';
import { profileFiles } from '../../targets/profile.ts';

const { folder, step } = nightsForTests();
const script = 'docs/ci/nightly-cron.sh';

/** What a night by cron comes to, in a folder that has the scripts of the project alone. */
function night({ npm = '', words = [] as readonly string[], env = {} } = {}): {
  status: number | null;
  stdout: string;
} {
  for (const file of [script, '.github/nightly.sh']) cpSync(join(project, file), join(folder(), file));
  const { status, stdout } = spawnSync('bash', [join(folder(), script), ...words], {
    cwd: '/',
    env: { PATH: `${binWith(folder(), npm)}:${process.env['PATH']}`, NIGHTLY_PAUSE: '0', ...env },
    encoding: 'utf8',
  });
  return { status, stdout };
}

/** Stands for npm: the doctor is content, and the run ends with a status. */
const running = (status: number): string =>
  `case "$*" in *doctor*) echo "the doctor";; test) echo "the run on $NFE_TARGET"; mkdir -p reports/out; echo {} >reports/out/results.json; exit ${status};; esac`;
const kept = (file: string): string => join(folder(), 'reports/nightly', file);

function afterUntestedNights(): void {
  mkdirSync(kept('.'), { recursive: true });
  writeFileSync(kept('untested'), '2026-01-01\n2026-01-02\n');
}

describe('a night by cron', () => {
  test('in which nothing fails prints nothing, ends with 0, and keeps log and results', () => {
    expect(night({ npm: running(0) })).toEqual({ status: 0, stdout: '' });
    expect(readFileSync(kept('night.log'), 'utf8')).toBe('the doctor\nthe run on sandbox\n');
    expect(existsSync(kept('results.json'))).toBe(true);
  });

  test('that finds the contract broken ends with 1, and prints the end of its log', () => {
    const { status, stdout } = night({ npm: running(1) });
    expect(status).toBe(1);
    expect(stdout).toBe(
      'the doctor\nthe run on sandbox\nThe whole log: reports/nightly/night.log; the reports: reports/out.\n',
    );
  });

  test('that could not test the target ends with 2, and says so', () => {
    const { status, stdout } = night({ npm: running(2), env: { NAME: 'Our build' } });
    expect(status).toBe(2);
    expect(stdout).toContain('warning: Our build was not tested. The run ended in an error');
  });

  test('ends with 2 where the doctor finds that a run could not be fair', () => {
    const { status, stdout } = night({ npm: 'echo "✗ problem"; exit 2' });
    expect(status).toBe(2);
    expect(stdout).toContain('✗ problem\nwarning: Homologacao was not tested. The doctor found');
  });

  test('names no reports where there was no run: those that are there are of an earlier night', () => {
    night({ npm: running(1) });
    const { stdout } = night({ npm: 'exit 2' });
    expect(stdout).toContain('The whole log: reports/nightly/night.log; there are no reports of this night.');
  });

  test('ends with 3 where it is the third one in a row that could not', () => {
    afterUntestedNights();
    const { status, stdout } = night({ npm: running(2) });
    expect(status).toBe(3);
    expect(stdout).toContain('error: Homologacao was not tested for 3 nights in a row.');
  });

  test('installs the packages where that is asked for; without them nothing is tested', () => {
    const npm = 'echo "$*" >>asked; test "$1" != ci';
    expect(night({ npm, words: ['--install'] }).status).toBe(2);
    expect(readFileSync(join(folder(), 'asked'), 'utf8')).toBe('ci\nci\nci\n');
  });

  test('in a CI system prints its log as it comes', () => {
    expect(night({ npm: running(0), env: { CI: 'true' } })).toEqual({
      status: 0,
      stdout: 'the doctor\nthe run on sandbox\n',
    });
    expect(night({ npm: running(1), env: { CI: 'true' } })).toEqual({
      status: 1,
      stdout: 'the doctor\nthe run on sandbox\n',
    });
  });
});

describe('the example for GitLab', () => {
  const text = readFileSync(join(project, 'docs/ci/gitlab-ci.yml'), 'utf8');
  const whole: unknown = parse(text);

  test('runs that script, and is orange for an untested night alone', () => {
    const job = { script: [`bash ${script} --install`], allow_failure: { exit_codes: [2] } };
    expect(whole).toMatchObject({ nightly: job });
  });

  test('keeps what goes on from night to night, also when it is red', () => {
    const cache = { key: 'nightly', paths: ['nightly/'], when: 'always' };
    const job = { variables: { KEPT: 'nightly' }, cache, artifacts: { when: 'always' } };
    expect(whole).toMatchObject({ nightly: job });
  });
});

describe('a night on a server', () => {
  /** Stands for npm: the doctor ends with one status, the run with another. */
  const npm = (doctor: number, run = 0): string =>
    [
      'echo "$*" >>asked',
      `case "$*" in`,
      `*doctor*) echo "✗ problem  echo: <b> & a redirect"; exit ${doctor};;`,
      `test) echo "$NFE_PROFILE \${PROFILE_ARCHIVE-no archive}"; ls -la "$NFE_PROFILE" >profile 2>&1; exit ${run};;`,
      'esac',
    ].join('\n');
  const server = ['server', 'Homologacao'];
  const asked = (): string => readFileSync(join(folder(), 'asked'), 'utf8');
  const archiveOf = (...words: readonly string[]): string =>
    spawnSync('tar', ['-czf', '-', ...words], { cwd: project }).stdout.toString('base64');

  test.each([0, 1])('asks the doctor first, shows on the page what it finds, and then runs npm test (%j)', (status) => {
    const ended = step(server, { npm: npm(0, status) });
    expect(ended).toMatchObject({ status, output: 'state=tested\n' });
    expect(ended.page).toBe('<pre>\n✗ problem  echo: &lt;b> &amp; a redirect\n</pre>\n\n');
    expect(asked()).toBe('run --silent doctor\ntest\n');
  });

  test('on which the doctor finds that a run could not be fair is untested, and there is no run', () => {
    const { status, stdout, output, page } = step(server, { npm: npm(2) });
    expect({ status, output }).toEqual({ status: 0, output: 'state=untested\n' });
    expect(stdout).toContain('a redirect\n::warning title=Homologacao was not tested::The doctor found');
    expect(page).toMatch(/<\/pre>\n\n\*\*Homologacao was not tested\.\*\*/);
    expect(asked()).not.toContain('\ntest\n');
  });

  test('is tested where the doctor itself breaks: the run tells', () => {
    expect(step(server, { npm: npm(137) })).toMatchObject({ status: 0, output: 'state=tested\n' });
  });

  test.each([
    ['of the folder', ['-C', 'profiles/default', '.']],
    ['with the folder in it', ['-C', 'profiles', 'default']],
  ])('takes a profile from a secret, %s, for as long as it runs', (_, words) => {
    const { status, stdout } = step(server, { npm: npm(0), archive: archiveOf(...words) });
    expect(status).toBe(0);
    expect(stdout).toMatch(/\nprofiles\/unpacked(\/default)? no archive\n$/);
    expect(readFileSync(join(folder(), 'profile'), 'utf8')).toMatch(/ certificado\.pfx\n/);
    expect(existsSync(join(folder(), 'profiles/unpacked'))).toBe(false);
  });

  test('takes that text from a file, too, whatever lines it is in', () => {
    const archive = join(folder(), 'archive');
    writeFileSync(archive, archiveOf('-C', 'profiles/default', '.').replace(/.{76}/g, '$&\n'));
    expect(step(server, { npm: npm(0), archive }).stdout).toContain('profiles/unpacked no archive');
  });

  test.each([
    ['no base64', 'not base64 at all!'],
    ['no archive', Buffer.from('canary').toString('base64')],
    ['an archive that is cut', archiveOf('-C', 'profiles/default', '.').slice(0, 4000)],
    ['an archive of something else', archiveOf('package.json')],
  ])('is untested where that secret is %s, and says so without a word of it', (_, archive) => {
    const { status, stdout, output, page } = step(server, { npm: npm(0), archive });
    expect({ status, output }).toEqual({ status: 0, output: 'state=untested\n' });
    expect(stdout).toMatch(/^::warning title=Homologacao was not tested::PROFILE_ARCHIVE is no profile: .*\n$/);
    expect(stdout + page).not.toMatch(/canary|tar:|base64:|package/);
    expect(readdirSync(folder())).not.toContain('asked');
    expect(existsSync(join(folder(), 'profiles/unpacked'))).toBe(false);
  });

  test('knows the files of a profile', () => {
    const named =
      /profile_files=\(([^)]*)\)/.exec(readFileSync(join(project, '.github/nightly.sh'), 'utf8'))?.[1] ?? '';
    expect(named.trim().split(/\s+/)).toEqual(Object.keys(profileFiles));
  });
});
