import { describe, expect, test } from 'vitest';
import { mutantRules, npmTest, withForeign } from '../testing/runs.ts';

describe.concurrent('a target that refuses right signs', () => {
  test.each([
    ['signature.query-signed', 'signature.query-not-signed', 'over the path with its query string', false],
    ['signature.line-breaks-kept', 'signature.line-breaks-removed', 'over the body with its line breaks', true],
  ])('is told how it signs in the results, the terminal and the page: %s', async (mutant, clause, way, hasPremise) => {
    await withForeign(mutantRules(mutant), async (settings) => {
      const { status, stdout, everything, results } = await npmTest(settings, '--clause', clause);
      const hint = `the target takes a sign computed ${way}`;
      const all = results?.clauses[0]?.checks.filter(({ state }) => state === 'failed') ?? [];
      const failed = all.filter(({ inPassing }) => !inPassing);
      expect(failed).toHaveLength(2);
      // Requests of one kind are diagnosed once: what is found is the finding's.
      expect(failed.some(({ error }) => error?.hint?.includes(hint))).toBe(true);
      expect(results?.findings?.map(({ diagnosis }) => diagnosis).join()).toContain(hint);
      // That a request with a query is refused breaks the rule itself, whichever check sends it; of a body it is a premise.
      expect(failed.some(({ error }) => error?.premise)).toBe(hasPremise);
      expect(stdout).toContain(`it takes a sign computed ${way}`);
      expect(everything).toContain(`<span lang="en">${hint}</span>`);
      expect(status).toBe(1);
    });
  });
});
