import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { inPassing } from '../../judge/judge.ts';
import { sampleFacts } from '../../reports/testing/sample-run.ts';
import type { CheckOutcome } from '../../schemas/results.ts';
import { traceFormat } from '../../schemas/trace-line.ts';
import type { RecordLine } from '../../trace/lines.ts';
import { secretMatcher } from '../../trace/secrets/matcher.ts';
import { newFolder } from '../testing/folders.ts';
import { makePartsFolder, readParts, readTrace, removePartsFolder, writeTrace, type TraceHead } from './trace-file.ts';

const clause = 'echo.status';
const head: TraceHead = {
  kind: 'run',
  format: traceFormat,
  facts: sampleFacts,
  clauses: [clause],
  inPassing: [clause],
};

function exchangeAt(at: number, header = 'x'): RecordLine {
  const request = {
    method: 'GET',
    target: '/openapi/demo/echo',
    headers: [['X-A', header]] satisfies [string, string][],
  };
  return { check: 'a check', case: 1, kind: 'exchange', at, ids: {}, evidence: { request, durationMs: 1 } };
}

function outcomeOf(name: string): CheckOutcome {
  const result = { name, file: 'a.spec.ts', durationMs: 1, cases: 1, assertions: 1, state: 'passed' } as const;
  return { clause, result };
}

/** The lines of a trace that was written, as text. */
function linesIn(path: string): string[] {
  return gunzipSync(readFileSync(path)).toString('utf8').trimEnd().split('\n');
}

/** A file of these lines. */
function fileOf(...lines: readonly string[]): string {
  const path = join(newFolder(), 'some.gz');
  writeFileSync(path, gzipSync(lines.join('\n')));
  return path;
}

describe('a trace that is written', () => {
  test('is read back as it was, its lines in the order of time', () => {
    const trace = { head, outcomes: [outcomeOf('a check')], lines: [exchangeAt(3), exchangeAt(1), exchangeAt(2)] };
    const again = readTrace(writeTrace(newFolder(), trace));
    expect(again).toEqual({ ...trace, lines: [exchangeAt(1), exchangeAt(2), exchangeAt(3)] });
  });

  test('leaves out what the judge saw in passing, which is judged anew, and the secrets of checks', () => {
    const told = { ...outcomeOf('a check'), secrets: ['the-secret'] };
    const path = writeTrace(newFolder(), { head, outcomes: [told, outcomeOf(inPassing)], lines: [] });
    expect(readTrace(path).outcomes).toEqual([outcomeOf('a check')]);
    expect(linesIn(path).join('\n')).not.toContain('the-secret');
  });

  test('is for its owner to read, and leaves no part of itself behind', () => {
    const folder = newFolder();
    const path = writeTrace(folder, { head, outcomes: [], lines: [] });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['trace.ndjson.gz']);
  });

  test('shows no secret that masks had missed, and tells of its line all the same', () => {
    const secret = '0123456789abcdef-the-secret';
    const search = secretMatcher([{ secret, stand: '$APP_SECRET' }]);
    const path = writeTrace(
      newFolder(),
      { head, outcomes: [], lines: [exchangeAt(1, `a ${secret}`), exchangeAt(2)] },
      search,
    );
    expect(linesIn(path).join('\n')).not.toContain(secret);
    expect(readTrace(path).lines).toEqual([exchangeAt(1, 'a $APP_SECRET'), exchangeAt(2)]);
  });
});

const [first, second] = [JSON.stringify(head), JSON.stringify(exchangeAt(1))];

test.each<[string, () => string, RegExp]>([
  ['that is not there', () => join(newFolder(), 'none.gz'), /none\.gz can't be read \(ENOENT\)$/],
  ['that is not compressed', () => import.meta.filename, /trace-file\.test\.ts can't be read /],
  ['that is empty', () => fileOf(''), /some\.gz does not begin as one$/],
  ['that begins with another line', () => fileOf(second, first), /some\.gz does not begin as one$/],
  [
    'with a line of another form',
    () => fileOf(first, second, '{"kind":"exchange"}'),
    /line 3 of .* is none of a trace$/,
  ],
  ['with a line that is no JSON', () => fileOf(first, '{"kind":'), /line 2 of .* is none of a trace$/],
  ['of another format', () => fileOf(first.replace('trace@2', 'trace@1')), /is the trace of another edition/],
])('a file %s is no trace, and refused', (_, path, message) => {
  expect(() => readTrace(path())).toThrow(message);
});

test('what the threads of a run write is read from all of their files; what is no line of a trace is a defect of the suite', async () => {
  const folder = makePartsFolder();
  writeFileSync(join(folder, '1.ndjson'), `${JSON.stringify(exchangeAt(1))}\n${JSON.stringify(exchangeAt(2))}\n`);
  writeFileSync(join(folder, '2.ndjson'), `${JSON.stringify(exchangeAt(3))}\n`);
  expect(new Set(readParts(folder).map(({ at }) => at))).toEqual(new Set([1, 2, 3]));
  expect(statSync(folder).mode & 0o077).toBe(0);
  writeFileSync(join(folder, '2.ndjson'), `${JSON.stringify(exchangeAt(3))}\n{}\n`);
  expect(() => readParts(folder)).toThrow('line 2 that a thread wrote is none of a trace');
  await removePartsFolder(folder);
  expect(() => readdirSync(folder)).toThrow('ENOENT');
});
