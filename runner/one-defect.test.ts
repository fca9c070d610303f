import { describe, expect, test } from 'vitest';
import { mutantRules, npmTest, withSteered, type Ended } from './testing/runs.ts';

/** The suite, as far as those topics, against a mutant that it may make applications at. */
function against(mutant: string, topics: readonly string[]): Promise<Ended> {
  const words = topics.flatMap((topic) => ['--topic', topic]);
  return withSteered(mutantRules(mutant), (settings) => npmTest({ ...settings, NFE_NUM_RUNS: '2' }, ...words));
}

describe('one defect is not told as several', () => {
  test.each([
    [
      'a limit that is one too high is no fault of the order of refusals',
      'rate-limit.one-more',
      ['rate-limit', 'precedence', 'retirement'],
      // With a limit of 0 the first request is served, too.
      ['rate-limit.refused', 'rate-limit.within-limit-served'],
    ],
    [
      'a timestamp that is sent again is no fault of the time-out',
      'webhook-delivery.stale-timestamp',
      ['webhook-delivery'],
      ['webhook-delivery.fresh-timestamp-on-retry'],
    ],
  ])('%s', async (_, mutant, topics, broken) => {
    const { results } = await against(mutant, topics);
    const accused = results?.clauses.filter(({ verdict }) => verdict === 'failed' || verdict === 'warned');
    expect(accused?.map(({ id }) => id).toSorted()).toEqual(broken);
  });

  test.each([
    ['rate-limit.never', ['rate-limit', 'retirement'], 'retirement.not-rate-limited', 'rate-limit.refused'],
    [
      'webhook-signature.body-first',
      ['webhook-signature'],
      'webhook-signature.fresh-on-retry',
      'webhook-signature.every-delivery',
    ],
    ['verdict-event.not-sent', ['verdict-event'], 'verdict-event.version', 'verdict-event.sent-when-settled'],
  ])('what %s leaves open is blocked by what is broken', async (mutant, topics, open, cause) => {
    const { results, status } = await against(mutant, topics);
    const clause = results?.clauses.find(({ id }) => id === open);
    expect(clause).toMatchObject({ verdict: 'not-exercised', blockedBy: [cause] });
    expect(results?.clauses.find(({ id }) => id === cause)?.verdict).toBe('failed');
    expect(status).toBe(1);
  });

  test('what misses an event that another clause demands fails where that clause is not judged', async () => {
    const { results } = await against('webhook-delivery.no-retries', ['webhook-signature']);
    const retry = results?.clauses.find(({ id }) => id === 'webhook-signature.fresh-on-retry');
    expect(retry?.verdict).toBe('failed');
    expect(retry?.checks[0]).toMatchObject({ error: { actual: 'none', premise: true } });
  });

  test('a state that the contract does not know is the target’s trouble, not the profile’s', async () => {
    const { results } = await against('nfe-query.status-misspelt', ['nfe-query']);
    const link = results?.clauses.find(({ id }) => id === 'nfe-query.xml-link');
    expect(link?.checks).toMatchObject([{ state: 'not-exercised', trouble: 'target' }]);
  });
});
