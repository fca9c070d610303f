import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SettingError } from './settings.ts';
import { judge } from '../../reports/judge.ts';
import { sampleFacts } from '../../reports/sample-run.ts';
import { readBaseline } from './setting-files.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nfe-baseline-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function written(text: string): string {
  const path = join(folder, 'file.json');
  writeFileSync(path, text);
  return path;
}

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('baseline', () => {
  test('results of this format are taken', () => {
    const earlier = judge(sampleFacts, [], []);
    expect(readBaseline(written(JSON.stringify(earlier)))).toEqual(earlier);
  });

  test.each([
    ['another format', '{"format": "nfe-conformance/results@2"}', /is not a results\.json of this suite/],
    ['a part of results', '{"format": "nfe-conformance/results@1"}', /breaks the schema of .*: \/verdict is missing/],
    ['an array', '[]', /is not a results\.json of this suite/],
    ['no JSON', 'results', /is not JSON$/],
  ])('%s is refused', (_, text, message) => {
    const refused = refusal(() => readBaseline(written(text)));
    expect(refused).toMatch(/^NFE_BASELINE takes the results\.json of an earlier run/);
    expect(refused).toMatch(message);
  });

  test('a folder is refused', () => {
    expect(refusal(() => readBaseline(folder))).toMatch(/^NFE_BASELINE takes .*\(EISDIR\)$/);
  });
});
