import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../../runner/command-line/argument-error.ts';
import { childEnvironment, warmly } from '../../runner/testing/warm.ts';
import { newFolder } from '../../runner/testing/folders.ts';
import { settingNames } from '../../runner/settings/settings.ts';
import { readProfileArguments, usage } from './arguments.ts';

/** Runs `npm run profile` with these settings only. */
async function profile(settings: Record<string, string>, ...words: string[]) {
  const unset = Object.fromEntries(settingNames.map((name) => [name, '']));
  const { status, stdout, stderr } = await warmly({
    command: 'profile',
    words,
    env: { ...childEnvironment(), ...unset, ...settings },
  });
  return { status, stdout, stderr };
}

describe.concurrent('npm run profile', () => {
  test('ends with 0 and a folder that the embedded simulator bears out', async () => {
    const folder = join(newFolder(), 'profile');
    const found = await profile({}, 'init', folder);
    expect(found).toMatchObject({ status: 0, stderr: '' });
    expect(found.stdout).toContain('Found 14 of 14 parts');
    expect(await profile({}, 'check', folder)).toMatchObject({ status: 0, stderr: '' });
  });

  test('ends with 2 and one line where the target can’t be tested', async () => {
    const settings = { NFE_BASE_URL: 'http://127.0.0.1:9', NFE_APP_SECRET: 'any-secret' };
    const { status, stderr } = await profile(settings, 'init', join(newFolder(), 'profile'));
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: NFE_BASE_URL: TCP: 127\.0\.0\.1:9 can't be reached .*\n$/);
  });

  test('prints its help', async () => {
    expect(await profile({}, '--help')).toEqual({ status: 0, stdout: `${usage}\n`, stderr: '' });
  });

  test('ends with 2 and its usage for words that it does not know', async () => {
    const { status, stderr } = await profile({}, 'make', 'x');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: usage: npm run profile -- init DIR/);
  });
});

describe('the command line', () => {
  test('names folders to try first, as many as there are', () => {
    const asked = readProfileArguments(['init', 'a', '--from', 'b', '--from', 'c', '--force']);
    expect(asked).toEqual({ command: 'init', folder: 'a', from: ['b', 'c'], isForced: true, isPlan: false });
  });

  test('of a check may name a folder', () => {
    expect(readProfileArguments(['check'])).toEqual({ command: 'check' });
    expect(readProfileArguments(['check', 'a'])).toEqual({ command: 'check', folder: 'a' });
  });

  test.each([
    [[]],
    [['init']],
    [['init', '']],
    [['init', 'a', 'b']],
    [['check', 'a', '--force']],
    [['init', 'a', '--fast']],
  ])('is refused: %j', (words) => {
    expect(() => readProfileArguments(words)).toThrow(ArgumentError);
  });
});
