import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keepContainerLog } from './start-target.ts';
import { newFolder } from '../testing/folders.ts';

/** Keeps a log in that folder, and gives the warnings. */
async function warningsOf(folder: string): Promise<string[]> {
  const lines: string[] = [];
  await keepContainerLog(folder, 'listening\n', (line) => lines.push(line));
  return lines;
}

describe('the log of a container', () => {
  test('is kept beside the reports', async () => {
    const folder = newFolder();
    expect(await warningsOf(folder)).toEqual([]);
    expect(readFileSync(join(folder, 'container.log'), 'utf8')).toBe('listening\n');
  });

  test('that can’t be written costs a warning of one line', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'container.log'));
    expect(await warningsOf(folder)).toEqual([
      `warning: container.log can't be written to ${folder} (EISDIR); the verdict of this run stands\n`,
    ]);
  });
});
