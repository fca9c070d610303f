import type { Finding } from '../../schemas/finding.ts';
import type { CheckResult, Results } from '../../schemas/results.ts';
import { decisiveRequest } from '../evidence.ts';
import { findingsIn } from '../findings/since.ts';
import { dueOf } from './due.ts';
import { repeatScript } from './script.ts';
import { lackIn, storyScript, type Lack } from './story-script.ts';
import { storyOf } from './story.ts';

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

/** What repeats the failing case of a check: all its steps, or the one request that it is made of. */
export function scriptOfCheck(clause: string, check: CheckResult, baseUrl: string): ScriptOrLack {
  const { story, error, replay } = check;
  const facts = { baseUrl, clause, ...(replay === undefined ? {} : { replay }) };
  if (story && error) {
    const lack = lackIn(story);
    const { expected, actual } = error;
    return lack === undefined ? { script: storyScript(story, { ...facts, expected, actual }) } : { lack };
  }
  const exchange = decisiveRequest(check);
  if (!exchange || storyOf(check, exchange).length > 0) return { lack: 'steps' };
  // By itself a script can tell of one answer only whether its status and code are due.
  if (dueOf(error?.expected) === undefined) return { lack: 'comparison' };
  const script = repeatScript(exchange, { ...facts, ...(error && { expected: error.expected }) });
  return script === undefined ? { lack: 'request' } : { script };
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
