import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { profileFiles } from '../../targets/profile.ts';
import { nightsForTests, project } from './testing/nights.ts';

const { folder, step } = nightsForTests();

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
