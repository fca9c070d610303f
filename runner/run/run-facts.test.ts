import { expect, test } from 'vitest';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitOf } from './run-facts.ts';
import { newFolder } from '../testing/folders.ts';

/** A repository with one commit of one file. */
function repository(): string {
  const folder = newFolder();
  const git = (...words: readonly string[]): void => void execFileSync('git', ['-C', folder, ...words]);
  writeFileSync(join(folder, 'file'), 'one');
  git('init', '--quiet');
  git('add', 'file');
  git('-c', 'user.name=n', '-c', 'user.email=e', 'commit', '--quiet', '--message', 'one');
  return folder;
}

test('a suite that was checked out is at the commit of its repository, and + says that files were changed', () => {
  const folder = repository();
  expect(commitOf(folder)).toMatch(/^[0-9a-f]{12}$/);
  writeFileSync(join(folder, 'untracked'), 'two');
  expect(commitOf(folder)).toMatch(/^[0-9a-f]{12}$/);
  writeFileSync(join(folder, 'file'), 'two');
  expect(commitOf(folder)).toMatch(/^[0-9a-f]{12}\+$/);
});

test('a suite inside somebody else’s repository, or in none, is at no commit', () => {
  const inside = join(repository(), 'inside');
  mkdirSync(inside);
  expect(commitOf(inside)).toBeUndefined();
  expect(commitOf(newFolder())).toBeUndefined();
});
