import { describe, expect, test } from 'vitest';
import { mutantRules, npmTest, withForeign } from './testing/runs.ts';

describe.concurrent('a target that refuses right signs', () => {
  test.each([
    ['signature.query-signed', 'signature.query-not-signed', 'over the path with its query string'],
    ['signature.line-breaks-kept', 'signature.line-breaks-removed', 'over the body with its line breaks'],
  ])('is told how it signs in the results, the terminal and the page: %s', async (mutant, clause, way) => {
    await withForeign(mutantRules(mutant), async (settings) => {
      const { status, stdout, everything, results } = await npmTest(settings, '--clause', clause);
      const hint = `the target takes a sign computed ${way}`;
      const failed = results?.clauses[0]?.checks.filter(({ state }) => state === 'failed') ?? [];
      expect(failed).toHaveLength(2);
      for (const { error } of failed) expect(error?.hint).toContain(hint);
      expect(failed.map(({ error }) => error?.premise ?? false)).toContain(true);
      expect(stdout).toContain(`\n  hint      ${hint}`);
      expect(everything).toContain(`<p>${hint}`);
      expect(status).toBe(1);
    });
  });
});
