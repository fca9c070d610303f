import { modelOf } from '../model.ts';
import { expect, test, describe } from 'vitest';
import { historyLineOf } from '../history.ts';
import { errorResults, judge } from '../judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from '../testing/sample-run.ts';
import { historySection, mapSection } from './history.ts';
import type { CheckResult } from '../../schemas/results.ts';
import { findingsSection } from '../html.ts';

const ids = ['echo.changing', 'echo.steady'];

function night(day: number, isFailing: boolean) {
  const startedAt = `2026-11-0${day}T02:00:00.000Z`;
  const outcomes = [sampleOutcome('echo.changing', isFailing ? sampleFailure : {}), sampleOutcome('echo.steady')];
  return judge(
    { ...sampleFacts, startedAt },
    ids.map((id) => sampleClause(id)),
    outcomes,
  );
}

const error = { ...errorResults(sampleFacts, 'ECONNREFUSED', 'network'), startedAt: '2026-11-03T02:00:00.000Z' };
const today = night(5, true);
const lines = [night(1, false), night(2, false), error, night(4, true)].map((run) => historyLineOf(run, '0.1.0'));
const html = historySection(modelOf(today, { history: lines }))?.html ?? '';

test('a strip says in words how many runs came to what', () => {
  const row = html.slice(html.indexOf('#clause-echo.changing')).split('</tr>')[0];
  expect(row).toContain('>2 passed, then 1 not judged, then 2 failed<');
  expect(row).toContain('>passou 2 vezes, depois não julgada 1 vez, depois falhou 2 vezes<');
});

test('each cell of a clause that changed has the date of its run, and leads to what is told of it', () => {
  const row = html.slice(html.indexOf('#clause-echo.changing')).split('</tr>')[0] ?? '';
  const cells = [...row.matchAll(/<a class="([\w-]+)" href="#(run-[^"]+)" title="([^"]+)"[^>]*>(.)<\/a>/gu)];
  expect(cells.map(([, kind, , , sign]) => [kind, sign])).toEqual([
    ['passed', '✓'],
    ['passed', '✓'],
    ['not-exercised', '·'],
    ['failed', '✗'],
    ['failed', '✗'],
  ]);
  expect(cells[0]?.[3]).toBe('2026-11-01 02:00:00 UTC');
  for (const [, , place] of cells) expect(html).toContain(`<tr id="${place}">`);
});

test('of the clauses that never changed only the number is told', () => {
  expect(html).toMatch(/that came to the same each time<.*: 1</);
  expect(html).not.toContain('echo.steady');
});

test('a first run has no history to show', () => {
  expect(historySection(modelOf(today, { history: [] }))).toBeUndefined();
});

/** The last nights of a month as lines of a history, oldest first. */
const month = Array.from({ length: 40 }, (_, index) => ({
  ...historyLineOf(night(1, false), '0.1.0'),
  startedAt: new Date(Date.UTC(2026, 9, 1 + index)).toISOString(),
  seed: index,
}));
const ofMonth =
  historySection(modelOf({ ...night(5, false), startedAt: '2026-12-01' }, { history: month }))?.html ?? '';

test('the last thirty runs are shown', () => {
  expect(ofMonth).toContain('The last 30 runs');
  expect(ofMonth).toContain(`<span class="conformant">${'✓'.repeat(30)}</span>`);
});

test('a run that ended in an error changes no clause', () => {
  const steady = [night(1, true), error].map((run) => historyLineOf(run, '0.1.0'));
  const shown = historySection(modelOf(today, { history: steady }))?.html ?? '';
  expect(shown).toMatch(/that came to the same each time<.*: 2</);
});

const broken = 'retirement.before-subscription';
const right = 'echo.bare';

function run(result: Partial<CheckResult>) {
  const clauses = [sampleClause(broken), sampleClause(right)];
  return judge(sampleFacts, clauses, [sampleOutcome(broken, result), sampleOutcome(right)]);
}

describe('the findings of a page', () => {
  test('are a line each, with the section and a link to the failure that names it', () => {
    const html = findingsSection(modelOf(run(sampleFailure)))?.html ?? '';
    expect(html.match(/<li id="finding-/g)).toHaveLength(1);
    expect(html).toContain('section');
    expect(html).toContain(`<a href="#failure-${broken}">`);
  });

  test('are not there where all holds', () => {
    expect(findingsSection(modelOf(run({})))).toBeUndefined();
  });
});

describe('the map of a page', () => {
  test('has a sign for each clause of a topic, and says how many of which', () => {
    const html = mapSection(modelOf(run(sampleFailure))).html;
    expect(html).toContain('href="#topic-retirement"');
    expect(html).toContain('<span class="failed">✗</span>');
    expect(html).toContain('1 failed');
  });

  test('tells what is blocked from what was not exercised', () => {
    const results = run(sampleFailure);
    const [first, ...others] = results.clauses;
    if (!first) throw new Error('no clause');
    const clauses = [{ ...first, verdict: 'blocked' as const, blockedBy: [right] }, ...others];
    expect(mapSection(modelOf({ ...results, clauses })).html).toContain('<span class="blocked">◌</span>');
    expect(mapSection(modelOf(results)).html).not.toContain('blocked');
  });
});
