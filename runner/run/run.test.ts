import { expect, test } from 'vitest';
import { strayChecks } from './run-specs.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../testing/folders.ts';
import { keepContainerLog } from './start-target.ts';
import { execFileSync } from 'node:child_process';
import { commitOf } from './run-facts.ts';

test('a check stands in a file of its topic, else --clause would never load it', () => {
  expect(strayChecks('webhook-delivery.issuance.spec.ts', [{ clause: 'webhook-delivery.event-id-stable' }])).toEqual(
    [],
  );
  const stray = { clause: 'webhook-url.called-exactly' };
  expect(strayChecks('webhook-delivery.issuance.spec.ts', [stray, stray])).toEqual([
    'webhook-delivery.issuance.spec.ts: a check of webhook-url.called-exactly belongs into the spec of its topic',
  ]);
});

test('the log of a container that can’t be written costs a warning of one line', async () => {
  const [folder, lines]: [string, string[]] = [newFolder(), []];
  mkdirSync(join(folder, 'container.log'));
  await keepContainerLog(folder, 'listening\n', (line) => lines.push(line));
  expect(lines).toEqual([
    `warning: container.log can't be written to ${folder} (EISDIR); the verdict of this run stands\n`,
  ]);
});

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
