import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { CheckResult, ClauseResult, Results } from '../../schemas/results.ts';
import { errorResults, judge } from '../judge.ts';
import {
  hostileResults,
  hostileText,
  sampleClause,
  sampleExchange,
  sampleFacts,
  sampleFailure,
  sampleOutcome,
  sampleResults,
} from '../sample-run.ts';
import { failureLines, summaryLines } from './summary.ts';

const clause = sampleClause('retirement.before-subscription');
const withExchange = { ...sampleFailure, exchanges: [sampleExchange()] };

function linesOf(result: Partial<CheckResult>): string[] {
  const outcome = sampleOutcome(clause.id, result);
  const [judged] = judge(sampleFacts, [clause], [outcome]).clauses;
  return judged ? failureLines(judged, outcome.result) : [];
}

function plain(results: Results): string {
  return summaryLines(results, { colour: false }).join('\n');
}

describe('a failure', () => {
  test('whose last evidence came to the suite shows it as received, with its event', () => {
    const headers = [['X-Service-Event', 'invoice.verify.completed']];
    const received = { request: { method: 'POST', target: '/hook', headers }, received: true, durationMs: 0 } as const;
    const lines = linesOf({ ...sampleFailure, exchanges: [received] });
    expect(lines).toContain('  request   received: POST /hook   event=invoice.verify.completed');
  });

  test('reads head, expected, actual, request, case, hint, repeat', () => {
    expect(linesOf(withExchange)).toEqual([
      'retirement.before-subscription  (4.3)  an unsubscribed application on a retired path gets 410',
      '  expected  410, code 10009034, platform envelope',
      '  actual    403, code 10009005',
      '  request   POST /openapi/nfe/verify/xml   token=$NFE_APP_SECRET_UNSUBSCRIBED  sign=9f3c…',
      '  case      {"path":"/openapi/nfe/verify/xml","body":"<a/>"}',
      '  hint      the subscription is checked before retirement',
      '  repeat    npm test -- --clause retirement.before-subscription --seed 1729 --path 0:2',
    ]);
  });

  test('shows the last exchange, which is what it is about', () => {
    const twin = sampleExchange();
    twin.request.target = '/twin';
    expect(linesOf({ ...sampleFailure, exchanges: [twin, sampleExchange()] }).join('\n')).not.toContain('/twin');
  });

  test('says so where token or sign was not sent', () => {
    const exchange = { ...sampleExchange(), request: { method: 'GET', target: '/x', headers: [] } };
    expect(linesOf({ ...sampleFailure, exchanges: [exchange] })).toContain(
      '  request   GET /x   token=(none)  sign=(none)',
    );
  });

  test('leaves out the lines that it has no value for', () => {
    expect(linesOf({ state: 'failed' })).toEqual([
      'retirement.before-subscription  (4.3)  the rule of retirement.before-subscription holds',
    ]);
  });

  test('keeps further lines of a value below its first, and cuts a value of many lines', () => {
    const lines = linesOf({ state: 'failed', error: { title: 't', expected: 'a\nb', actual: 'y\n'.repeat(50) } });
    expect(lines.slice(1, 4)).toEqual(['  expected  a', '            b', '  actual    y']);
    expect(lines.at(-1)).toBe('            … (51 lines)');
    expect(lines.length).toBeLessThan(30);
  });
});

describe('the summary', () => {
  test('starts with a table by topic and rows for the whole', () => {
    const [head, echo, retirement] = plain(sampleResults()).split('\n');
    expect(head).toMatch(
      /^topic +passed +failed +known +warned +not exercised +withheld +unobservable +checks +cases$/,
    );
    expect(echo).toMatch(/^echo +1 +· +1 +1 +1 +1 +1 +6 +6$/);
    expect(retirement).toMatch(/^retirement +· +1 +· +· +· +· +· +1 +1$/);
    expect(plain(sampleResults())).toMatch(/\nmust clauses +1 +1 +1 +· +1 +1 +1 +6 +6\n/);
    expect(plain(sampleResults())).toMatch(/\nevery level +1 +1 +1 +1 +1 +1 +1 +7 +7\n/);
  });

  test('holds failures, then warnings, known deviations, what was not exercised or withheld, and the sentence last', () => {
    const text = plain(sampleResults());
    const order = [
      '\nretirement.before-subscription  (4.3)',
      '\necho.warned  (4.3)  an unsubscribed application on a retired path gets 410  [implied, warned]',
      '\nKnown deviations\n  echo.known  TICKET-12',
      '\nFlaky\n  echo.passed  ',
      '\nNot exercised: 1 must clause\n  needs a clock\n    echo.open',
      '\nWithheld: 1 must clause\n  it might issue a real invoice',
      '\nNonconformant: 1 of 4 must clauses failed',
    ].map((part) => text.indexOf(part));
    expect(order.every((position) => position > 0)).toBe(true);
    expect(order).toEqual([...order].sort((x, y) => x - y));
    expect(text.endsWith('(seed 1729).\nNo level complete; level secret: 3 of 4 exercised.')).toBe(true);
  });

  test('lists as flaky what did not fail: a failure tells of its own repetitions', () => {
    const flaky = ['failed', 'passed'];
    const of = (rest: object): string => plain(judge(sampleFacts, [clause], [sampleOutcome(clause.id, rest)]));
    expect(of({ flaky })).toContain('\nFlaky\n  retirement.before-subscription  ');
    expect(of({ ...sampleFailure, flaky })).not.toContain('\nFlaky\n');
    expect(of({ ...sampleFailure, flaky })).toContain('\n  flaky     failed, passed\n');
  });

  test('gives the level of a clause that was not exercised, unless it is a must clause', () => {
    const clauses = [sampleClause('echo.a'), sampleClause('echo.b', { level: 'should' })];
    const open = clauses.map(({ id }) => sampleOutcome(id, { state: 'not-exercised', reason: 'r' }));
    expect(plain(judge(sampleFacts, clauses, open))).toContain('\n    echo.a\n    echo.b  [should]\n');
  });

  test('names a stale list as the reason of a clause whose checks passed', () => {
    const results = judge(
      { ...sampleFacts, knownDeviations: { [clause.id]: 'T' } },
      [clause],
      [sampleOutcome(clause.id)],
    );
    expect(plain(results)).toMatch(
      /retirement\.before-subscription {2}\(4\.3\) .*\n {2}reason {4}the list of known deviations is stale/,
    );
  });

  test('of an error run is its sentence', () => {
    expect(summaryLines(errorResults(sampleFacts, 'ECONNREFUSED', 'network'), { colour: false })).toEqual([
      'Error: no clause was judged on http://127.0.0.1:8080 (seed 1729): ECONNREFUSED.',
    ]);
  });

  test('says the same with colour as without', () => {
    const coloured = summaryLines(sampleResults(), { colour: true }).join('\n');
    expect(coloured).toContain('\u001b[31m');
    expect(stripVTControlCharacters(coloured)).toBe(plain(sampleResults()));
  });
});

describe('text from a hostile target', () => {
  test('holds no control character, direction mark or line separator any more', () => {
    expect(hostileText).toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Cs}]/u);
    for (const results of [hostileResults(), errorResults(sampleFacts, hostileText, 'network')]) {
      for (const line of summaryLines(results, { colour: false }))
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    }
  });

  test('holds none either in the ids and sections of results that somebody else has written', () => {
    const results = sampleResults();
    const strange = (text: string): string => `${text}\u001b[2J\u202e`;
    const clauses = results.clauses.map((own) => ({ ...own, id: strange(own.id), section: strange(own.section) }));
    const flaky = clauses.map((own) => ({
      ...own,
      checks: own.checks.map((check) => ({ ...check, flaky: ['passed'] })),
    }));
    const verdicts = new Set(clauses.map(({ verdict }) => verdict));
    for (const verdict of ['failed', 'warned', 'known', 'not-exercised'] as const) expect(verdicts).toContain(verdict);
    const text = [...summaryLines({ ...results, clauses: flaky }, { colour: false })].join('');
    expect(text).toContain(String.raw`\u{1b}[2J`);
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test('is spelt out in the name of a topic', () => {
    const id = 'ec\u001b[2Jho.a';
    const [, row] = summaryLines(judge(sampleFacts, [sampleClause(id)], [sampleOutcome(id)]), { colour: false });
    expect(row).toMatch(/^ec\\u\{1b\}\[2Jho +1 /);
  });

  test('begins no line of its own at the margin', () => {
    const starts: (string | undefined)[] = plain(hostileResults()).split('\n');
    expect(starts.filter((line) => line?.startsWith('## Conformant'))).toEqual([]);
  });

  test('is cut where it is very long', () => {
    const lines = hostileResults().clauses.flatMap((own: ClauseResult) =>
      own.checks.flatMap((check) => failureLines(own, check)),
    );
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(2_000);
  });
});
