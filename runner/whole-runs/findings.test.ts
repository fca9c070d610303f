import { expect, test } from 'vitest';
import { mutants } from '../../mutants/all.ts';
import { troublesOf } from '../../reports/troubles.ts';
import { referenceRules } from '../../simulator/rules/rules.ts';
import { npmTest, withSteered } from '../testing/runs.ts';

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
  const topics = ['signature', 'chave-lookup'].flatMap((topic) => ['--topic', topic]);
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
    const open = results?.clauses.filter(({ verdict }) => verdict === 'not-exercised') ?? [];
    expect(open.map(({ reason }) => reason).filter((reason) => !reason?.startsWith('needs '))).toEqual([]);
  });
});

test('a target that refuses at once what will be denied is one finding, and neither settings nor profile are blamed', async () => {
  const rules = mutants.find(({ id }) => id === 'nfe-issuance.denied-at-once')?.rules;
  if (!rules) throw new Error('there is no such mutant');
  const topics = ['nfe-issuance', 'issuance-callback'].flatMap((topic) => ['--topic', topic]);
  await withSteered(rules, async (settings) => {
    const { results } = await npmTest({ ...settings, NFE_NUM_RUNS: '2' }, ...topics);
    expect(results?.findings?.map(({ id }) => id)).toEqual(['nfe-issuance.denial-accepted']);
    expect(results && troublesOf(results).map(({ whose }) => whose)).toEqual(['target']);
    const reasons = results?.clauses.flatMap(({ checks }) => checks.map(({ reason = '' }) => reason)) ?? [];
    expect(reasons.filter((reason) => /refused:(?! 400: \[)/.test(reason))).toEqual([]);
  });
});
