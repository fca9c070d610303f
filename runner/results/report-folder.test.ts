import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isResults } from '../../schemas/stored.ts';
import { clearReports, proveWritable, repeatSettings } from './report-folder.ts';
import { readSettings, settingNames } from '../settings/settings.ts';
import { childEnvironment } from '../testing/warm.ts';
import { newFolder } from '../testing/folders.ts';
import { npmTest } from '../testing/runs.ts';

const root = join(import.meta.dirname, '../..');

describe('a folder for reports', () => {
  test('is made, and left empty', () => {
    const folder = join(newFolder(), 'new', 'out');
    proveWritable(folder, '--out');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that lies below a file is refused by the name of what names it', () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    expect(() => proveWritable(join(file, 'out'), '--out')).toThrow(
      `${join(file, 'out')} can't be written (ENOTDIR): reports need another folder, which --out names`,
    );
  });

  test('with a folder in the place of a report is refused', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'index.html'));
    await expect(clearReports(folder, 'NFE_REPORT_DIR')).rejects.toThrow(
      /can't be written \(ERR_FS_EISDIR\).*NFE_REPORT_DIR/,
    );
  });

  test('that can’t be written ends npm test before it asks anything of a target: exit 2, one line', async () => {
    const { status, stdout, stderr } = await npmTest({
      NFE_REPORT_DIR: '/dev/null/x',
      NFE_BASE_URL: 'http://127.0.0.1:9',
      NFE_APP_SECRET: 'any-secret',
    });
    expect(stderr).toBe(
      "error: /dev/null/x can't be written (ENOTDIR): reports need another folder, which NFE_REPORT_DIR names\n",
    );
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });
});

describe('a check that is repeated', () => {
  /** Runs `npm test` where a `.env` names the folder of the reports. */
  function runIn(folder: string, words: readonly string[], settings: Record<string, string> = {}): number | null {
    const unset = Object.fromEntries(settingNames.map((name) => [name, undefined]));
    const env = { ...childEnvironment(), ...unset, NFE_NUM_RUNS: '1', NFE_PROFILE: join(root, 'profiles/default') };
    const all = ['--clause', 'echo.message-returned', ...words];
    return spawnSync('node', [join(root, 'desk/main.ts'), 'test', ...all], {
      cwd: folder,
      env: { ...env, ...settings },
    }).status;
  }

  function filterOf(path: string): string | undefined {
    const results: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isResults(results) ? results.filter : undefined;
  }

  test('keeps to the history beside the other reports, or to the one that is named', () => {
    const settings = readSettings({ NFE_REPORT_DIR: 'out' });
    expect(repeatSettings(settings)).toEqual({ ...settings, reportDir: 'out/repeat', history: 'out/history.jsonl' });
    expect(repeatSettings({ ...settings, history: 'own.jsonl' }).history).toBe('own.jsonl');
  });

  test('leaves the report that told of it: its own goes to a folder below, unless the command names one', () => {
    const [folder, words] = [newFolder(), ['--seed', '1', '--path', '0']];
    writeFileSync(join(folder, '.env'), 'NFE_REPORT_DIR=out\n');
    mkdirSync(join(folder, 'out'));
    writeFileSync(join(folder, 'out', 'results.json'), '{}');
    expect(runIn(folder, words)).toBe(0);
    expect(readdirSync(join(folder, 'out'))).toEqual(['repeat', 'results.json']);
    expect(filterOf(join(folder, 'out', 'repeat', 'results.json'))).toBe('--clause echo.message-returned --path 0');
    expect(readdirSync(join(folder, 'out', 'repeat'))).not.toContain('history.jsonl');
    expect(runIn(folder, words, { NFE_REPORT_DIR: 'named' })).toBe(0);
    expect(filterOf(join(folder, 'named', 'results.json'))).toBe('--clause echo.message-returned --path 0');
  });
});
