import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../../runner/command-line/argument-error.ts';
import { command } from '../../runner/testing/runs.ts';
import { newFolder } from '../../runner/testing/folders.ts';
import { readProfileArguments, usage } from '../profile.ts';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { writeFolder } from './init.ts';

/** Runs `npm run profile` with these settings only. */
async function profile(settings: Record<string, string>, ...words: string[]) {
  const { status, stdout, stderr } = await command('profile', settings, words);
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

const files = new Map([
  ['empresa.json', Buffer.from('{}')],
  ['proved.json', Buffer.from('{"a":1}')],
]);
/** The last of them can't be written: its folder is not there. */
const broken = new Map([...files, ['nowhere/x.json', Buffer.from('{}')]]);

test('a folder that is new has all of its files, for its owner to read', () => {
  const folder = join(newFolder(), 'a', 'profile');
  mkdirSync(join(folder, '..'));
  writeFolder(folder, files);
  expect(readdirSync(folder)).toEqual([...files.keys()]);
  expect(statSync(join(folder, 'empresa.json')).mode & 0o777).toBe(0o600);
});

test('what is in a folder already stays, but for the files that are written', () => {
  const folder = newFolder();
  for (const name of ['empresa.json', 'LEIAME.txt']) writeFileSync(join(folder, name), 'meu');
  writeFolder(folder, files);
  expect(readdirSync(folder)).toEqual(['LEIAME.txt', ...files.keys()]);
  expect(readFileSync(join(folder, 'empresa.json'), 'utf8')).toBe('{}');
  expect(readFileSync(join(folder, 'LEIAME.txt'), 'utf8')).toBe('meu');
});

test('a new folder of which a file can’t be written is not made at all', () => {
  const root = newFolder();
  expect(() => writeFolder(join(root, 'profile'), broken)).toThrow(/can't be written \(ENOENT\)/);
  expect(existsSync(join(root, 'profile'))).toBe(false);
  expect(readdirSync(root)).toEqual([]);
});

test('a folder that is there stays as it is where a file can’t be written', () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'empresa.json'), 'meu');
  expect(() => writeFolder(folder, broken)).toThrow(/can't be written/);
  expect(readdirSync(folder)).toEqual(['empresa.json']);
  expect(readFileSync(join(folder, 'empresa.json'), 'utf8')).toBe('meu');
});
