import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { judge } from '../reports/judge.ts';
import { largeRun } from '../reports/large-run.ts';
import { sampleClause, sampleExchange, sampleFacts, sampleFailure, sampleOutcome } from '../reports/sample-run.ts';
import { readSampledResults } from './sampled-results.ts';

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sampled-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'results.json');
  writeFileSync(path, text);
  return path;
}

const exchanges = ['/first', '/second', '/third'].map((target) => {
  const exchange = sampleExchange();
  return { ...exchange, request: { ...exchange.request, target } };
});
const results = judge(
  sampleFacts,
  ['echo.failed', 'echo.passed'].map((id) => sampleClause(id)),
  [sampleOutcome('echo.failed', { ...sampleFailure, exchanges }), sampleOutcome('echo.passed', { exchanges })],
);

test('the evidence of a failure is read whole, of a check that passed the last exchange and how many there were', () => {
  const read = readSampledResults(fileWith(JSON.stringify(results, null, 2)));
  const [failed, passed] = results.clauses.map(({ checks }) => checks[0]);
  expect(read).toEqual({
    ...results,
    clauses: [
      { ...results.clauses[0], checks: [failed] },
      { ...results.clauses[1], checks: [{ ...passed, exchanges: exchanges.slice(-1), exchangesMade: 3 }] },
    ],
  });
});

test.each([
  ['no JSON', '{"clauses":[{"id":', /is not JSON$/],
  ['other JSON', '[{"clauses":[]}]', /is not a results\.json of this suite/],
  [
    'a clause of another form',
    JSON.stringify({ ...results, clauses: [results.clauses[0], { id: 'echo.a' }] }),
    /breaks the schema of nfe-conformance\/results@1: \/clauses\/1\/section is missing; npm run report -- --schema prints/,
  ],
])('a file with %s is refused by its path', (_, text, why) => {
  const path = fileWith(text);
  expect(() => readSampledResults(path)).toThrow(why);
  expect(() => readSampledResults(path)).toThrow(path);
});

test('a file that is not there is refused', () => {
  expect(() => readSampledResults('/no/such/results.json')).toThrow("/no/such/results.json can't be read (ENOENT)");
});

test('2,000 checks with 50,000 exchanges are rendered again within 256 MB of heap', { timeout: 60_000 }, () => {
  const path = fileWith(JSON.stringify(largeRun()));
  const report = fileURLToPath(new URL('report.ts', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, ['--max-old-space-size=256', report, '--from', path], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  expect(stdout).toContain('Nonconformant: 66 of 266 must clauses failed');
  expect(status).toBe(1);
});
