import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../runner/testing/folders.ts';
import { writeFolder } from './init.ts';

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
