import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readHistory } from '../../reports/history.ts';
import { newFolder } from '../testing/folders.ts';
import { npmTest } from '../testing/runs.ts';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import { examine } from '../preflight/examine.ts';
import { readSettings } from '../settings/settings.ts';
import { sandboxAddress } from '../settings/target-address.ts';
import { lineOf } from '../results/history-file.ts';

const clause = ['--clause', 'echo.message-returned'];
const seedsIn = (path: string): number[] => readHistory(readFileSync(path, 'utf8')).runs.map(({ seed }) => seed);

describe.concurrent('npm test', () => {
  test('adds its run to the history, a shard and a repeated case not, and shows it in the next report', async () => {
    const path = join(newFolder(), 'history.jsonl');
    const settings = { NFE_HISTORY: path, NFE_NUM_RUNS: '1' };
    const first = await npmTest(settings, ...clause, '--seed', '1');
    if (!first.results) throw new Error(first.stderr);
    expect(readHistory(readFileSync(path, 'utf8')).runs).toEqual([lineOf(first.results)]);
    await npmTest(settings, ...clause, '--seed', '2', '--path', '0');
    await npmTest(settings, ...clause, '--seed', '3', '--shard', '1/1');
    expect(seedsIn(path)).toEqual([1]);
    const last = await npmTest(settings, ...clause, '--seed', '4');
    expect(seedsIn(path)).toEqual([1, 4]);
    expect(last.everything).toMatch(/### What changed since/);
  });

  test('adds a run that ended in an error', async () => {
    const path = join(newFolder(), 'history.jsonl');
    const settings = { NFE_HISTORY: path, NFE_BASE_URL: 'http://127.0.0.1:1', NFE_APP_SECRET: 'an-app-secret' };
    expect((await npmTest(settings, ...clause)).status).toBe(2);
    expect(readHistory(readFileSync(path, 'utf8')).runs).toMatchObject([{ verdict: 'error' }]);
  });

  test('warns of a broken history in one line, and its verdict stands', async () => {
    const path = join(newFolder(), 'history.jsonl');
    mkdirSync(path);
    const { status, stderr, results } = await npmTest({ NFE_HISTORY: path, NFE_NUM_RUNS: '1' }, ...clause);
    expect({ status, verdict: results?.verdict }).toEqual({ status: 0, verdict: 'conformant' });
    expect(stderr).toMatch(/^warning: .*history\.jsonl can't be read \(EISDIR\); the verdict of this run stands/m);
  });

  test('keeps secrets out of the history, also one that is part of an address', async () => {
    const path = join(newFolder(), 'history.jsonl');
    const settings = {
      NFE_HISTORY: path,
      NFE_BASE_URL: 'http://127.0.0.1:1/s3cr3t-t0ken',
      NFE_APP_SECRET: 's3cr3t-t0ken',
    };
    await npmTest(settings, ...clause);
    expect(readFileSync(path, 'utf8')).toContain('$NFE_APP_SECRET');
    expect(readFileSync(path, 'utf8')).not.toContain('s3cr3t-t0ken');
  });
});

const environment = { NFE_BASE_URL: 'http://127.0.0.1:9', NFE_APP_SECRET: 'a-secret-of-a-test' };

async function warningsWith(more: Record<string, string>): Promise<string[]> {
  const settings = readSettings({ ...environment, ...more });
  const { findings } = await examine(settings, sandboxAddress(settings, {}), { memory: ledgerMemory(), budget: 0 });
  return findings.filter(({ state }) => state === 'warning').map(({ examined }) => examined);
}

test('the people of the profile are known before the first request', () => {
  const { people, shows } = sandboxAddress(readSettings(environment), {});
  expect(shows).toBeUndefined();
  expect(people?.known.get('999.999.990-50')).toBe('$cpf');
});

test('with NFE_SHOW=all nobody is sought, and preflight and doctor say that reports show everybody', async () => {
  const { people, shows } = sandboxAddress(readSettings({ ...environment, NFE_SHOW: 'all' }), {});
  expect([people, shows]).toEqual([undefined, 'all']);
  expect(await warningsWith({ NFE_SHOW: 'all' })).toContain('NFE_SHOW');
  expect(await warningsWith({})).not.toContain('NFE_SHOW');
});
