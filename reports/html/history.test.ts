import { expect, test } from 'vitest';
import { historyLineOf, seriesOf } from '../history.ts';
import { errorResults, judge } from '../judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from '../testing/sample-run.ts';
import { historySection } from './history.ts';

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
const html = historySection(today, seriesOf(today, lines))?.html ?? '';

/** A strip as the eye and as the ear gets it. */
function strip(signs: string, english: string, portuguese: string): string {
  const heard = `<span class="said"><span lang="en">${english}</span><span lang="pt-BR">${portuguese}</span></span>`;
  return `<span class="strip" aria-hidden="true">${signs}</span><span class="unseen">${heard}</span>`;
}

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

test('the head of the table shows the verdicts of the runs', () => {
  expect(html).toContain(
    strip(
      '<span class="conformant">✓✓</span><span class="error">!</span><span class="nonconformant">✗✗</span>',
      '2 conformant, then 1 error, then 2 nonconformant',
      'conforme 2 vezes, depois erro 1 vez, depois não conforme 2 vezes',
    ),
  );
});

test('the legend has each sign with its word', () => {
  expect(html).toMatch(/<li><span class="known" aria-hidden="true">◇<\/span> .*>known<.*>conhecida<.*<\/li>/);
});

test('clauses that never changed are folded behind those that did', () => {
  expect(html.indexOf('echo.steady')).toBeGreaterThan(html.indexOf('that came to the same each time'));
  expect(html.indexOf('echo.changing')).toBeLessThan(html.indexOf('<details>'));
});

test('a first run has no history to show', () => {
  expect(historySection(today, seriesOf(today, []))).toBeUndefined();
});

/** The last nights of a month as lines of a history, oldest first. */
const month = Array.from({ length: 40 }, (_, index) => ({
  ...historyLineOf(night(1, false), '0.1.0'),
  startedAt: new Date(Date.UTC(2026, 9, 1 + index)).toISOString(),
  seed: index,
}));
const ofMonth = historySection(night(5, false), seriesOf({ ...today, startedAt: '2026-12-01' }, month))?.html ?? '';

test('the last thirty runs are shown', () => {
  expect(ofMonth).toContain('The last 30 runs');
  expect(ofMonth).toContain(`<span class="conformant">${'✓'.repeat(29)}</span>`);
});

test('the runs one by one begin with the newest', () => {
  const seeds = [...ofMonth.matchAll(/<td>(\d+)<\/td><\/tr>/g)].map(([, seed]) => Number(seed));
  expect(seeds).toEqual([1729, ...Array.from({ length: 29 }, (_, index) => 39 - index)]);
});

test('a run that ended in an error changes no clause', () => {
  const steady = [night(1, true), error].map((run) => historyLineOf(run, '0.1.0'));
  const shown = historySection(today, seriesOf(today, steady))?.html ?? '';
  expect(shown).toContain('No clause came to another verdict in them.');
});

test('a clause that no run can observe has no strip', () => {
  const clauses = [...ids.map((id) => sampleClause(id)), sampleClause('echo.unseen', { unobservable: 'a console' })];
  const withUnseen = judge(
    { ...sampleFacts, startedAt: today.startedAt },
    clauses,
    ids.map((id) => sampleOutcome(id)),
  );
  const shown = historySection(withUnseen, seriesOf(withUnseen, lines))?.html;
  expect(shown).toContain('echo.steady');
  expect(shown).not.toContain('echo.unseen');
});
