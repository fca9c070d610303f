import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SettingError } from './setting-error.ts';
import { judge } from '../reports/judge.ts';
import { sampleFacts } from '../reports/sample-run.ts';
import { readBaseline, readKnownDeviations } from './setting-files.ts';

const clauseIds = ['signature.order', 'signature.utf-8', 'echo.app-key'];
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nfe-setting-files-'));
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

describe('known deviations', () => {
  const read = (text: string): (() => unknown) => {
    return () => readKnownDeviations(written(text), clauseIds);
  };

  test('a list of clauses with reasons is taken', () => {
    expect(read('{"signature.order": "TICKET-1", "echo.app-key": "fixed in the next release"}')()).toEqual({
      'signature.order': 'TICKET-1',
      'echo.app-key': 'fixed in the next release',
    });
  });

  test('an empty list is taken', () => {
    expect(read('{}')()).toEqual({});
  });

  test('an id that is no clause is refused with the likeliest one', () => {
    expect(refusal(read('{"signature.odrer": "x"}'))).toMatch(
      /^NFE_KNOWN_DEVIATIONS: .*"signature.odrer", which is no clause: did you mean signature.order\?$/,
    );
  });

  test.each([
    ['an array', '["signature.order"]', /holds no JSON object$/],
    ['null', 'null', /holds no JSON object$/],
    ['an empty reason', '{"signature.order": " "}', /signature\.order in .* has no reason$/],
    ['a reason that is no text', '{"signature.order": 7}', /signature\.order in .* has no reason$/],
  ])('%s is refused', (_, text, message) => {
    const refused = refusal(read(text));
    expect(refused).toMatch(
      /^NFE_KNOWN_DEVIATIONS takes a JSON file of the form \{"<clause id>": "reason or ticket"\}: /,
    );
    expect(refused).toMatch(message);
  });

  test('a file that is not JSON is refused without repeating what it holds', () => {
    const refused = refusal(read('NFE_APP_SECRET=hunter2'));
    expect(refused).toMatch(/^NFE_KNOWN_DEVIATIONS takes .* is not JSON$/);
    expect(refused).not.toMatch(/hunter2|NFE_APP_SECRET/);
  });

  test('a file that does not exist is refused', () => {
    const path = join(folder, 'none.json');
    expect(refusal(() => readKnownDeviations(path, clauseIds))).toMatch(/^NFE_KNOWN_DEVIATIONS takes .*\(ENOENT\)$/);
  });
});

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
