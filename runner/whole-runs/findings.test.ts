import { expect, test } from 'vitest';
import { mutants } from '../../mutants/all.ts';
import { referenceRules, type Rules } from '../../simulator/rules/rules.ts';
import { npmTest, withSteered, ofTopics } from '../testing/runs.ts';
import { join } from 'node:path';
import { newFolder } from '../testing/folders.ts';
import { troublesOf } from '../../reports/troubles.ts';

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
  const topics = ofTopics('signature', 'chave-lookup');
  await withSteered(rules, async (settings) => {
    const { stdout, results } = await npmTest({ ...settings, NFE_NUM_RUNS: '1' }, ...topics);
    const findings = results?.findings ?? [];
    expect(findings.map(({ id }) => id)).toEqual(['signature.accepted']);
    expect(findings[0]?.summary).toMatch(
      / is answered 401, code 10009003; it takes a sign computed over the path without \/openapi$/,
    );
    expect(findings[0]?.blocked.length).toBeGreaterThanOrEqual(20);
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
  const topics = ofTopics('nfe-issuance', 'issuance-callback');
  await withSteered(rules, async (settings) => {
    const { results } = await npmTest({ ...settings, NFE_NUM_RUNS: '1' }, ...topics);
    expect(results?.findings?.map(({ id }) => id)).toEqual(['nfe-issuance.denial-accepted']);
    expect(results && troublesOf(results).map(({ whose }) => whose)).toEqual(['target']);
    const reasons = results?.clauses.flatMap(({ checks }) => checks.map(({ reason = '' }) => reason)) ?? [];
    expect(reasons.filter((reason) => /refused:(?! 400: \[)/.test(reason))).toEqual([]);
  });
});

const sandbox = { NFE_TARGET: 'sandbox', NFE_NUM_RUNS: '1' };

/** What a command prints of a server with these rules, and how it ends. */
function runOn(rules: Rules, folder: string, ...words: string[]) {
  return withSteered(rules, (settings) => npmTest({ ...settings, ...sandbox, NFE_REPORT_DIR: folder }, ...words));
}

const broken = mutants.find(({ id }) => id === 'echo.app-key-a-number')?.rules ?? referenceRules;

test('findings are repeated from their file: one that is still there ends with 1, one that is gone with 0', async () => {
  const folder = newFolder();
  const file = join(folder, 'results.json');
  await runOn(broken, folder, '--clause', 'echo.identity-fields');
  const again = await runOn(broken, folder, '--repeat', file);
  expect(again.stdout).toContain('REPRODUCED  echo.identity-fields: ');
  expect(again.status).toBe(1);
  const mended = await runOn(referenceRules, folder, '--repeat', file);
  expect(mended.stdout).toContain('FIXED       echo.identity-fields: ');
  expect(mended.status).toBe(0);
});

test('a file without findings is refused, and so is another option beside', async () => {
  const folder = newFolder();
  await runOn(referenceRules, folder, '--clause', 'echo.identity-fields');
  const { status, stderr } = await npmTest({}, '--repeat', join(folder, 'results.json'));
  expect(status).toBe(2);
  expect(stderr).toMatch(/has no findings, there is nothing/);
  const beside = await npmTest({}, '--repeat', 'results.json', '--topic', 'echo');
  expect(beside.stderr).toMatch(/^error: --repeat takes clauses, checks and seed from its file/);
});
