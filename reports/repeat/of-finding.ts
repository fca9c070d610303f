import type { Finding } from '../../schemas/finding.ts';
import type { CheckResult, Results } from '../../schemas/results.ts';
import { findingsIn } from '../findings/since.ts';
import { lackIn, repeatScript, type Lack } from './script.ts';

/** The check that shows a finding best to who repeats it: one of which every step is known, rather one that was made for it. */
function checkToRepeat({ evidence }: Finding, { clauses }: Pick<Results, 'clauses'>): CheckResult | undefined {
  const checks = evidence.flatMap(({ clause, check }) => {
    const found = clauses.find(({ id }) => id === clause)?.checks.find(({ name }) => name === check);
    return found ? [found] : [];
  });
  const known = checks.filter(({ story }) => story && lackIn(story) === undefined);
  return known.find(({ inPassing }) => !inPassing) ?? known[0] ?? checks[0];
}

/** The checks whose scripts repeat the findings of a run. */
export function checksToRepeat(results: Pick<Results, 'clauses' | 'findings'>): ReadonlySet<CheckResult> {
  return new Set(findingsIn(results).flatMap((finding) => checkToRepeat(finding, results) ?? []));
}

/** A script, or why there can be none. */
export type ScriptOrLack = { readonly script: string } | { readonly lack: Lack };

/** What takes all steps of the failing case of a check again. */
export function scriptOfCheck(clause: string, { story, error, replay }: CheckResult, baseUrl: string): ScriptOrLack {
  if (!story || !error) return { lack: 'steps' };
  const lack = lackIn(story);
  if (lack !== undefined) return { lack };
  const { expected, actual } = error;
  const facts = { baseUrl, clause, expected, actual, ...(replay === undefined ? {} : { replay }) };
  return { script: repeatScript(story, facts) };
}

/** Findings of which a script is written: those that break most. */
const mostScripts = 20;

/** The scripts of the findings of a run, each by the name of its file. */
export function scriptFiles(results: Results): ReadonlyMap<string, string> {
  const told = findingsIn(results).flatMap((finding) => {
    const check = checkToRepeat(finding, results);
    const clause = finding.evidence.find((shown) => shown.check === check?.name)?.clause ?? '';
    const made = check && scriptOfCheck(clause, check, results.target.baseUrl);
    return made && 'script' in made
      ? [[`repeat-${finding.id.replaceAll(/[^\w.-]+/g, '-')}.mjs`, made.script] as const]
      : [];
  });
  return new Map(told.slice(0, mostScripts));
}

/** Whether a file is one of these. */
export function isScriptFile(name: string): boolean {
  return /^repeat-[\w.-]+\.mjs$/.test(name);
}
