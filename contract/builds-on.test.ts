import { describe, expect, test } from 'vitest';
import { buildsOn, foundation } from './builds-on.ts';
import { catalogue, findClause, isJudged } from './catalogue.ts';

const judged = catalogue.filter(isJudged);

describe('what clauses stand on', () => {
  test('are clauses that a run judges, each named once', () => {
    for (const { id, buildsOn: below = [] } of catalogue) {
      expect(new Set(below).size, id).toBe(below.length);
      for (const one of below) expect(judged, `${id} stands on ${one}`).toContain(findClause(one));
    }
  });

  test('is never a clause itself, by however many steps', () => {
    expect(judged.filter(({ id }) => buildsOn(id).has(id)).map(({ id }) => id)).toEqual([]);
  });

  test('is in the end that a correct request passes, for every judged clause but that one', () => {
    const loose = judged.filter(({ id }) => !buildsOn(id).has(foundation)).map(({ id }) => id);
    expect(loose).toEqual([foundation]);
  });

  test('is what those stand on, too', () => {
    expect(buildsOn('webhook-delivery.retry-delays')).toEqual(
      new Set([
        'webhook-delivery.other-status-retried',
        'verdict-event.sent-when-settled',
        'nfe-verification.validation-status',
        foundation,
      ]),
    );
  });

  test('leaves out what follows from it', () => {
    const twice = judged.flatMap(({ id, buildsOn: below = [] }) =>
      below.filter((one) => below.some((other) => buildsOn(other).has(one))).map((one) => `${id}: ${one}`),
    );
    expect(twice).toEqual([]);
  });
});
