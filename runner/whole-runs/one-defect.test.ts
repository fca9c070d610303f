import { describe, expect, test } from 'vitest';
import { mutantRules, npmTest, withSteered, type Ended } from '../testing/runs.ts';

/** The suite, as far as those clauses, against a mutant that it may make applications at. */
function against(mutant: string, clauses: readonly string[]): Promise<Ended> {
  const words = clauses.flatMap((clause) => ['--clause', clause]);
  return withSteered(mutantRules(mutant), (settings) => npmTest({ ...settings, NFE_NUM_RUNS: '2' }, ...words));
}

describe.concurrent('one defect is not told as several', () => {
  test.each([
    [
      'a limit that is one too high is no fault of the order of refusals',
      'rate-limit.one-more',
      // With a limit of 0 the first request is served, too.
      ['rate-limit.refused', 'rate-limit.within-limit-served'],
      [
        'rate-limit.served-again',
        'precedence.410-before-429',
        'precedence.401-before-429',
        'precedence.403-before-429',
        'retirement.spends-no-rate-token',
        'retirement.not-rate-limited',
      ],
    ],
    [
      'a timestamp that is sent again is no fault of the time-out',
      'webhook-delivery.stale-timestamp',
      ['webhook-delivery.fresh-timestamp-on-retry'],
      [
        'webhook-delivery.timeout-after-10-seconds',
        'webhook-delivery.answer-within-10-seconds',
        'webhook-delivery.timestamp-header',
        'webhook-delivery.retry-delays',
        'webhook-delivery.body-kept-on-retry',
      ],
    ],
  ])('%s', async (_, mutant, broken, near) => {
    const { results } = await against(mutant, [...broken, ...near]);
    expect(results?.clauses).toHaveLength(broken.length + near.length);
    const accused = results?.clauses.filter(({ verdict }) => verdict === 'failed' || verdict === 'warned');
    expect(accused?.map(({ id }) => id).toSorted()).toEqual(broken);
  });

  test.each([
    ['rate-limit.never', 'retirement.not-rate-limited', 'rate-limit.refused'],
    ['webhook-signature.body-first', 'webhook-signature.fresh-on-retry', 'webhook-signature.every-delivery'],
    ['verdict-event.not-sent', 'verdict-event.version', 'verdict-event.sent-when-settled'],
  ])('what %s leaves open is blocked by what is broken', async (mutant, open, cause) => {
    const { results, status } = await against(mutant, [open, cause]);
    const clause = results?.clauses.find(({ id }) => id === open);
    expect(clause).toMatchObject({ verdict: 'blocked', blockedBy: [cause] });
    expect(results?.clauses.find(({ id }) => id === cause)?.verdict).toBe('failed');
    expect(status).toBe(1);
  });

  test('what misses an event that another clause demands fails where that clause is not judged', async () => {
    const { results } = await against('webhook-delivery.no-retries', ['webhook-signature.fresh-on-retry']);
    const retry = results?.clauses.find(({ id }) => id === 'webhook-signature.fresh-on-retry');
    expect(retry?.verdict).toBe('failed');
    expect(retry?.checks[0]).toMatchObject({ error: { actual: 'none', premise: true } });
  });

  test('a state that the contract does not know is the target’s trouble, not the profile’s', async () => {
    const { results } = await against('nfe-query.status-misspelt', ['nfe-query.xml-link']);
    const link = results?.clauses.find(({ id }) => id === 'nfe-query.xml-link');
    expect(link?.checks).toMatchObject([{ state: 'not-exercised', trouble: 'target' }]);
  });
});
