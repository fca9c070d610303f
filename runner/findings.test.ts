import { expect, test } from 'vitest';
import { referenceRules } from '../simulator/rules.ts';
import { npmTest, withSteered } from './testing/runs.ts';

test('a target that hashes the path without /openapi is one finding with its way to sign, in 40 lines, and nobody else is blamed', async () => {
  const { signature } = referenceRules;
  const rules = {
    ...referenceRules,
    signature: {
      ...signature,
      signedPath: (request: Parameters<typeof signature.signedPath>[0]) =>
        signature.signedPath(request).replace('/openapi', ''),
    },
  };
  const topics = ['signature', 'retirement', 'chave-lookup', 'verdict-event'].flatMap((topic) => ['--topic', topic]);
  await withSteered(rules, async (settings) => {
    const { stdout, results } = await npmTest({ ...settings, NFE_NUM_RUNS: '2' }, ...topics);
    const findings = results?.findings ?? [];
    expect(findings.map(({ id }) => id)).toEqual(['signature.accepted']);
    expect(findings[0]?.summary).toMatch(
      / is answered 401, code 10009003; it takes a sign computed over the path without \/openapi$/,
    );
    expect(findings[0]?.blocked.length).toBeGreaterThan(20);
    const told = stdout.slice(stdout.search(/^[\d-]{10} [\d:]{8} UTC {2}/m)).trimEnd();
    expect(told.split('\n').length).toBeLessThanOrEqual(40);
    // What the suite lacks here is told as that; nothing else is blamed for what the target answers.
    const open = results?.clauses.filter(({ verdict, blockedBy }) => verdict === 'not-exercised' && !blockedBy) ?? [];
    expect(open.map(({ reason }) => reason).filter((reason) => !reason?.startsWith('needs '))).toEqual([]);
  });
});
