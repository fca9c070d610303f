import { describe, expect, test } from 'vitest';
import { scriptFiles } from '../../reports/repeat/of-finding.ts';
import { runScript } from '../../reports/testing/run-script.ts';
import { referenceRules } from '../../simulator/rules/rules.ts';
import { mutants } from '../../mutants/all.ts';
import { mutantRules, npmTest, withSteered } from '../testing/runs.ts';

const environment = { NFE_PROFILE: 'profiles/default', REPEAT_WAIT_SECONDS: '3' };

/** The first script of a run against a mutant, and how it ends there, at the reference, and with nothing at hand. */
async function repeated(id: string) {
  const clauses = mutants.find((mutant) => mutant.id === id)?.breaks.flatMap((clause) => ['--clause', clause]) ?? [];
  const profile = `${import.meta.dirname}/../../profiles/default`;
  const runIn = (script: string, settings: Record<string, string>) =>
    runScript(script, { ...environment, ...settings, NFE_PROFILE: profile });
  return withSteered(mutantRules(id), async (settings) => {
    const run = { ...settings, NFE_TARGET: 'sandbox', NFE_NUM_RUNS: '3' };
    const { results } = await npmTest(run, ...clauses);
    const [script = ''] = results ? scriptFiles(results).values() : [];
    const onMutant = await runIn(script, settings);
    const onReference = await withSteered(referenceRules, (own) => runIn(script, own));
    const withNothing = await runScript(script, {});
    return { script, onMutant, onReference, withNothing, secrets: [settings.NFE_CONTROL_TOKEN] };
  });
}

/** One mutant for each kind of story. */
const kinds = [
  ['a single request', 'retirement.one-path-404'],
  ['a field of an answer', 'echo.app-key-a-number'],
  ['an issuance and a query', 'nfe-query.status-misspelt'],
  ['a cancellation', 'nfe-cancellation.as-204'],
  ['a field of a callback', 'issuance-callback.null-for-empty'],
  ['retries of a callback', 'webhook-delivery.no-retries'],
  ['a verdict event', 'verdict-event.version-2'],
  ['a registration of an address', 'webhook-url.relative-taken'],
  ['a rotation of the secret', 'token.old-secret-kept'],
  ['an application in a condition', 'application.disabled-served'],
  ['a rate limit', 'rate-limit.never'],
  ['a move of the clock', 'nfe-query.xml-link-for-a-minute'],
  ['a language', 'language.403-in-english'],
  ['the download of a link', 'nfe-query.danfe-as-html'],
] as const;

describe('the script of a finding', () => {
  test.each(kinds)('about %s ends with 1 at who is wrong, with 0 at who is right, with 2 by itself', async (_, id) => {
    const { script, onMutant, onReference, withNothing, secrets } = await repeated(id);
    expect(onMutant.stdout).toContain('\nREPRODUCED');
    expect(onReference.stdout).toContain('\nNOT REPRODUCED');
    expect(withNothing.stderr).toMatch(/^NOT TRIED: [^\n]+\n$/);
    expect([onMutant, onReference, withNothing].map(({ status }) => status)).toEqual([1, 0, 2]);
    for (const secret of secrets) expect(script + onMutant.stdout + onMutant.stderr).not.toContain(secret);
  });
});
