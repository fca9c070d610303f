import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mutants } from '../../mutants/all.ts';
import { referenceRules, type Rules } from '../../simulator/rules/rules.ts';
import { newFolder } from '../testing/folders.ts';
import { npmTest, withSteered } from '../testing/runs.ts';

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
