import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { judge } from '../../reports/judge.ts';
import {
  largeRun,
  sampleClause,
  sampleExchange,
  sampleFacts,
  sampleFailure,
  sampleOutcome,
} from '../../reports/testing/sample-run.ts';
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

const text = JSON.stringify(results);

test.each([
  ['an escape in the name of the clauses', text.replace('"clauses"', String.raw`"\u0063lauses"`)],
  ['much white space before the clauses', text.replace('"clauses":', `"clauses":${' '.repeat(300)}`)],
])('a file with %s is read whole', (_, written) => {
  expect(readSampledResults(fileWith(written))).toEqual(results);
});

const [clause] = results.clauses;
const { clauses: _, ...withoutClauses } = results;

test.each([
  ['without clauses', {}, /: \/clauses is missing;/],
  ['with a number in the place of the clauses', { clauses: 3 }, /: \/clauses is of another form;/],
  ['with an object in the place of the clauses', { clauses: { a: clause } }, /: \/clauses is of another form;/],
  ['with the clauses in an array of arrays', { clauses: [[clause]] }, /: \/clauses\/0 is of another form;/],
  ['with something else among the clauses', { clauses: [clause, 1] }, /: \/clauses\/\d is of another form;/],
])('a file %s is refused', (_, more, why) => {
  expect(() => readSampledResults(fileWith(JSON.stringify({ ...withoutClauses, ...more })))).toThrow(why);
});

test('deliveries that a check received count among its exchanges, as they do where all are read', () => {
  const clauses = [sampleClause('echo.passed')];
  const kept = judge(sampleFacts, clauses, [sampleOutcome('echo.passed', { exchanges, exchangesMade: 1 })]);
  const read = readSampledResults(fileWith(JSON.stringify(kept)));
  expect(read.clauses[0]?.checks[0]).toMatchObject({ exchangesMade: 3, exchanges: exchanges.slice(-1) });
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
  const report = fileURLToPath(new URL('../../desk/main.ts', import.meta.url));
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--max-old-space-size=256', report, 'report', '--from', path],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  expect(stdout).toContain('Nonconformant: 66 of 266 must clauses failed');
  expect(status).toBe(1);
});
