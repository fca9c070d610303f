import { describe, expect, test } from 'vitest';
import { results as resultsSchema, type ClauseResult } from '../schemas/results.ts';
import { validator } from '../schemas/validate.ts';
import { errorResults, judge, judgeSoFar, clauseNotRun } from './judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome, sampleResults } from './testing/sample-run.ts';
import { modelOf } from './model.ts';
import { badgeOf } from './write.ts';
import { ctrfReport } from './ctrf.ts';
import { historyLineOf, historyLines } from './history.ts';
import { htmlReport } from './html.ts';
import { junitReport } from './junit.ts';
import { summaryMarkdown } from './markdown.ts';
import { verdictSentence } from './sentence.ts';
import { summaryLines } from './terminal.ts';
import { clausesText, mustClauses, byReason } from './verdicts.ts';

const clause = sampleClause('echo.reply');
const passed = sampleOutcome(clause.id);
const failed = sampleOutcome(clause.id, sampleFailure);
const open = sampleOutcome(clause.id, { state: 'not-exercised', reason: 'needs a clock' });
const strict = { ...sampleFacts, strict: true };
const listed = { ...sampleFacts, knownDeviations: { [clause.id]: 'TICKET-12' } };

function only(results: { clauses: ClauseResult[] }): ClauseResult {
  const [first, ...rest] = results.clauses;
  if (!first || rest.length > 0) throw new Error('the test is about one clause');
  return first;
}

describe('the verdict of a clause', () => {
  test('a failed check fails its clause, whatever its other checks came to', () => {
    expect(only(judge(sampleFacts, [clause], [passed, failed, open])).verdict).toBe('failed');
  });

  test('a clause with a passed and no failed check is passed, and its unexercised checks stay listed', () => {
    const result = only(judge(sampleFacts, [clause], [open, passed]));
    expect(result.verdict).toBe('passed');
    expect(result.checks.map((check) => check.state)).toEqual(['not-exercised', 'passed']);
  });

  test('a clause of which no check was exercised is not exercised, for the distinct reasons of its checks', () => {
    const other = sampleOutcome(clause.id, { state: 'not-exercised', reason: 'needs a receiver' });
    const result = only(judge(sampleFacts, [clause], [open, other, open]));
    expect(result).toMatchObject({ verdict: 'not-exercised', reason: 'needs a clock; needs a receiver' });
  });

  test.each(['should', 'implied'] as const)('a failed check of a %s clause warns, and fails under strict', (level) => {
    const lenient = sampleClause(clause.id, { level });
    expect(judge(sampleFacts, [lenient], [failed])).toMatchObject({
      verdict: 'conformant',
      clauses: [{ verdict: 'warned' }],
    });
    expect(judge(strict, [lenient], [failed])).toMatchObject({
      verdict: 'nonconformant',
      clauses: [{ verdict: 'failed' }],
    });
  });

  test.each([
    ['must', listed],
    ['implied', listed],
    ['implied', { ...listed, strict: true }],
  ] as const)(
    'a failed %s clause that is listed as a known deviation is known, for the listed reason',
    (level, facts) => {
      const results = judge(facts, [sampleClause(clause.id, { level })], [failed]);
      expect(results.verdict).toBe('conformant');
      expect(only(results)).toMatchObject({ verdict: 'known', reason: 'TICKET-12' });
    },
  );

  test.each(['must', 'implied'] as const)(
    'a listed %s clause that passes is failed, since the list is stale',
    (level) => {
      const results = judge(listed, [sampleClause(clause.id, { level })], [passed]);
      expect(results.verdict).toBe('nonconformant');
      expect(only(results)).toMatchObject({ verdict: 'failed' });
      expect(only(results).reason).toMatch(/stale.*"TICKET-12"/);
    },
  );

  test('a listed clause that was not exercised stays not exercised, and its reason mentions the list', () => {
    const result = only(judge(listed, [clause], [open]));
    expect(result.verdict).toBe('not-exercised');
    expect(result.reason).toMatch(/^needs a clock; listed as a known deviation \("TICKET-12"\)/);
  });

  test('an unobservable clause keeps its own reason', () => {
    const result = only(judge(sampleFacts, [sampleClause('token.x', { unobservable: 'it is said in a console' })], []));
    expect(result).toMatchObject({ verdict: 'unobservable', reason: 'it is said in a console', checks: [] });
  });

  test.each([
    ['client', /^binds clients, .*judged elsewhere, not by a run/],
    ['receiver', /^binds webhook receivers, .*judged elsewhere, not by a run/],
  ] as const)('a clause that binds a %s is unobservable, and its reason says whom it binds', (binds, reason) => {
    const result = only(judge(sampleFacts, [sampleClause('token.x', { binds })], []));
    expect(result).toMatchObject({ verdict: 'unobservable', binds });
    expect(result.reason).toMatch(reason);
  });
});

describe('a fault of the suite', () => {
  test('a judged clause without an outcome is named in an error', () => {
    expect(() => judge(sampleFacts, [clause, sampleClause('echo.other')], [passed])).toThrow(
      /echo\.other: .*specs\/echo/,
    );
  });

  test('an outcome of a clause that the run does not judge is an error', () => {
    const stranger = sampleOutcome('echo.other', sampleFailure);
    expect(() => judge(sampleFacts, [clause], [passed, stranger])).toThrow(
      /"the rule of echo\.other holds" judges echo\.other/,
    );
    const client = sampleClause('echo.other', { binds: 'client' });
    expect(() => judge(sampleFacts, [clause, client], [passed, stranger])).toThrow(/no judged clause/);
  });
});

describe('the verdict of a run', () => {
  const must = sampleClause('echo.must');
  const implied = sampleClause('echo.implied', { level: 'implied' });
  const openOf = (id: string) => sampleOutcome(id, { state: 'not-exercised', reason: 'needs a clock' });

  test('one failed clause makes it nonconformant, even where a must clause was not exercised', () => {
    expect(judge(sampleFacts, [clause, must], [failed, openOf(must.id)]).verdict).toBe('nonconformant');
  });

  test('a must clause that was not exercised makes it incomplete', () => {
    expect(judge(sampleFacts, [clause, must], [passed, openOf(must.id)]).verdict).toBe('incomplete');
  });

  test('an implied clause that was not exercised leaves it conformant', () => {
    expect(judge(sampleFacts, [clause, implied], [passed, openOf(implied.id)]).verdict).toBe('conformant');
  });

  test('must clauses that are unobservable or bind others leave it conformant', () => {
    const others = [sampleClause('token.x', { binds: 'client' }), sampleClause('token.y', { unobservable: 'unseen' })];
    expect(judge(sampleFacts, [clause, ...others], [passed]).verdict).toBe('conformant');
  });
});

describe('the results', () => {
  test('count the clauses by verdict, keep their order and fit the schema', () => {
    const clauses = [clause, sampleClause('token.x', { binds: 'client' }), sampleClause('echo.other')];
    const results = judge({ ...sampleFacts, filter: 'echo' }, clauses, [sampleOutcome('echo.other'), failed]);
    expect(results.counts).toEqual({
      passed: 1,
      failed: 1,
      known: 0,
      warned: 0,
      notExercised: 0,
      blocked: 0,
      withheld: 0,
      unobservable: 1,
    });
    expect(results.clauses.map(({ id }) => id)).toEqual(['echo.reply', 'token.x', 'echo.other']);
    expect(results).toMatchObject({ filter: 'echo', seed: 1729, requests: 12_345 });
    expect(validator(resultsSchema)(results)).toEqual([]);
  });

  test('list the checks of a clause by file, and as they came within a file', () => {
    const of = (file: string, name: string) => sampleOutcome(clause.id, { file, name });
    const results = judge(sampleFacts, [clause], [of('b', 'z'), of('a', 'y'), of('b', 'x'), of('a', 'w')]);
    expect(only(results).checks.map((check) => check.name)).toEqual(['y', 'w', 'z', 'x']);
  });

  test('of a run that could not be made hold the message and no clause', () => {
    const results = errorResults(sampleFacts, 'ECONNREFUSED', 'network');
    expect(results).toMatchObject({
      verdict: 'error',
      error: 'ECONNREFUSED',
      clauses: [],
      counts: { failed: 0, passed: 0 },
    });
    expect(validator(resultsSchema)(results)).toEqual([]);
  });
});

describe('a run that was cut off', () => {
  const why = { reason: 'it was cut off', trouble: 'settings' } as const;
  const soFar = (outcomes: Parameters<typeof judge>[2], done: readonly string[]): ClauseResult =>
    only({ clauses: judgeSoFar(sampleFacts, [clause], outcomes, { done: new Set(done), why }) });

  test('judges a clause that is done as any run does', () => {
    expect(soFar([passed, open], [clause.id]).verdict).toBe('passed');
    expect(soFar([open], [clause.id]).reason).toBe('needs a clock');
  });

  test('does not take a clause for passed of which a check is missing, and keeps the check that ended', () => {
    const result = soFar([passed], []);
    expect(result).toMatchObject({ verdict: 'not-exercised', reason: 'it was cut off', trouble: 'settings' });
    expect(result.checks.map(({ state }) => state)).toEqual(['passed']);
  });

  test('keeps a failure, whatever is missing', () => {
    expect(soFar([passed, failed], []).verdict).toBe('failed');
  });

  test('says of a clause without a check that it was not come to, even if none is known of', () => {
    expect(soFar([], [clause.id])).toMatchObject({ verdict: 'not-exercised', reason: 'it was cut off' });
  });

  test('is an error with the clauses that were judged, and their counts', () => {
    const results = errorResults(sampleFacts, 'cut off', 'network', [soFar([passed], [clause.id])]);
    expect(results).toMatchObject({ verdict: 'error', counts: { passed: 1, notExercised: 0 } });
    expect(validator(resultsSchema)(results)).toEqual([]);
  });
});

// Of a run that was stopped no level of assurance is told.
const { level: _level, ...whole } = sampleResults();
const stopped = errorResults(sampleFacts, 'shard 2/2 left no results', 'settings', whole.clauses);
const failing = 'retirement.before-subscription';

test('the sentence says what stopped the run, then what stands', () => {
  expect(verdictSentence(stopped)).toMatch(
    /^Error: shard 2\/2 left no results; what was judged until then stands: 1 of \d+ must clauses failed, .* \(seed 1729\)\.$/,
  );
  expect(verdictSentence(stopped, 'pt-BR')).toMatch(/^Erro: shard 2\/2 .*; o que foi julgado até ali vale: /);
});

test('the terminal shows what was found until then, under the sentence', () => {
  const lines = summaryLines(modelOf(stopped), { colour: false });
  expect(lines.slice(2)).toEqual(summaryLines(modelOf(whole), { colour: false }).slice(2));
  expect(lines[1]).toBe(verdictSentence(stopped));
});

test('the page shows what stopped the run, each failure and all clauses', () => {
  const page = htmlReport(modelOf(stopped));
  expect(page).toMatch(/<h2 id="error-heading">.*shard 2\/2 left no results/s);
  expect(page).toContain('What was judged until then stands below');
  expect(page).not.toContain('This says nothing about the contract');
  expect(page).toContain(`id="failure-${failing}"`);
  expect(page).toContain('<h2 id="clauses-heading">');
  expect(page).toContain('Must clauses exercised');
});

test('the summary for a CI page holds the table and the failures', () => {
  const summary = summaryMarkdown(modelOf(stopped));
  expect(summary).toContain('## ! Error\n');
  expect(summary).toContain('| topic |');
  expect(summary).toMatch(/### Failures\n\n<details><summary><code>retirement/);
});

test('JUnit and CTRF hold one error, and every check beside it', () => {
  const [before, after] = [junitReport(modelOf(whole)), junitReport(modelOf(stopped))];
  const testsIn = (xml: string): number => Number(/<testsuites .*? tests="(\d+)"/.exec(xml)?.[1]);
  expect(testsIn(after)).toBe(testsIn(before) + 1);
  expect(after).toContain('<testcase classname="run" name="the run comes to its end"');
  expect(after.match(/<error message="shard 2\/2 left no results"/g)).toHaveLength(1);
  expect(ctrfReport(modelOf(stopped))).toContain('"name": "the run comes to its end"');
  expect(ctrfReport(modelOf(stopped))).toContain(`"clause": "${failing}"`);
});

test('the badge is that of an error and counts what passed', () => {
  expect(badgeOf(modelOf(stopped))).toMatchObject({ color: 'lightgrey', isError: true });
  expect(badgeOf(modelOf(stopped)).message).toMatch(/^error · 1\/\d+ must clauses$/);
});

test('the history keeps the verdicts, and its line tells of both', () => {
  const line = historyLineOf(stopped, '0.1.0');
  expect(line).toMatchObject({ verdict: 'error', clauses: { failed: [failing] } });
  expect(historyLines({ runs: [line], unreadable: 0 }, 5)[0]).toMatch(
    /! Error .*: shard 2\/2 left no results; judged until then: .*1 passed, 1 failed, /,
  );
});

const { clauses } = sampleResults();

test('the must clauses of a run are those that it judges, what was withheld apart', () => {
  expect(mustClauses(clauses).map(({ id }) => id)).toEqual([
    'echo.passed',
    'echo.known',
    'echo.open',
    'retirement.before-subscription',
  ]);
});

test.each([
  [clauses, '6 must clauses, 1 other clause', '6 cláusulas obrigatórias, 1 outra cláusula'],
  [clauses.slice(0, 1), '1 must clause', '1 cláusula obrigatória'],
  [clauses.filter(({ level }) => level !== 'must'), '1 other clause', '1 outra cláusula'],
  [[], '0 must clauses', '0 cláusulas obrigatórias'],
])('clauses of every level are counted with the must clauses by themselves', (some, english, portuguese) => {
  expect([clausesText(some), clausesText(some, 'pt-BR')]).toEqual([english, portuguese]);
});

test('the reason that most clauses share stands first, and those of one reason keep their order', () => {
  const reasons = { 'echo.a': 'r', 'echo.b': 'most', 'echo.c': 's', 'echo.d': 'most' };
  const clauses = Object.entries(reasons).map(([id, reason]) => clauseNotRun(sampleClause(id), { reason }));
  expect(byReason(clauses).map((group) => [group.reason, group.clauses.map(({ id }) => id)])).toEqual([
    ['most', ['echo.b', 'echo.d']],
    ['r', ['echo.a']],
    ['s', ['echo.c']],
  ]);
});
