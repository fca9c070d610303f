import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../testing/folders.ts';
import { keepContainerLog } from './start-target.ts';

test('the log of a container that can’t be written costs a warning of one line', async () => {
  const [folder, lines]: [string, string[]] = [newFolder(), []];
  mkdirSync(join(folder, 'container.log'));
  await keepContainerLog(folder, 'listening\n', (line) => lines.push(line));
  expect(lines).toEqual([
    `warning: container.log can't be written to ${folder} (EISDIR); the verdict of this run stands\n`,
  ]);
});
