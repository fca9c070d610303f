import { describe, expect, test } from 'vitest';
import { catalogue, isJudged } from '../../contract/catalogue.ts';
import { additionOf } from './addition.ts';
import { coverageOf, judgeCoverage } from './clauses.ts';
import { findingLine } from '../doctor-lines.ts';

const judged = catalogue.filter(isJudged);

test('a target that lacks nothing has every judged clause exercised', () => {
  const coverage = coverageOf(() => undefined);
  expect(coverage).toMatchObject({ exercised: judged.length, judged: judged.length });
  expect(judgeCoverage(coverage, true).map(({ state }) => state)).toEqual(['ok']);
});

describe('a target without a movable clock', () => {
  const isNeedy = judged.filter(({ needs = [] }) => needs.includes('movable-clock'));
  const coverage = coverageOf((need) => (need === 'movable-clock' ? 'needs a clock' : undefined));

  test('loses the clauses that need one, and says why', () => {
    expect(coverage.exercised).toBe(judged.length - isNeedy.length);
    const [head, ...rest] = judgeCoverage(coverage, false);
    expect(head?.found).toBe(`${coverage.exercised} of ${judged.length} will be exercised`);
    const lines = rest.map((finding) => findingLine(finding, false));
    expect(lines.join('\n')).toMatch(/^○ not set  clauses: \d+ clauses? will not be exercised: needs a clock$/);
  });
});

test('a must clause that is not exercised makes NFE_REQUIRE_COMPLETE a warning', () => {
  const must = {
    exercised: 1,
    judged: 2,
    lacking: new Map([['needs a clock', judged.filter(({ level }) => level === 'must')]]),
  };
  expect(judgeCoverage(must, true).map(({ state }) => state)).toEqual(['ok', 'not set', 'warning']);
  expect(judgeCoverage(must, false).map(({ state }) => state)).toEqual(['ok', 'not set']);
});

test('what a setting adds is told with the settings that must be beside it', () => {
  expect(additionOf('NFE_CONTROL_URL')).toMatch(/^set it with NFE_CONTROL_TOKEN for \d+ clauses more \(/);
  expect(additionOf('NFE_SEED')).toBeUndefined();
});
