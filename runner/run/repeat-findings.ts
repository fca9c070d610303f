import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { calledEndpoint } from '../../contract/endpoints.ts';
import { findClause } from '../../contract/catalogue.ts';
import type { NeedName } from '../../contract/clause.ts';
import { inPassing } from '../../judge/judge.ts';
import { repeatedFindings, type RepeatedFinding, findingsIn } from '../../reports/findings/findings.ts';
import type { Results } from '../../schemas/results.ts';
import type { CheckName } from '../../targets/address.ts';
import { ArgumentError } from '../command-line/argument-error.ts';
import type { Arguments } from '../command-line/arguments.ts';
import { conformanceRun } from './conformance-run.ts';
import type { Interruption } from './own-process.ts';
import { repeatSettings, readResultsFile } from '../results/report-folder.ts';
import type { Environment, Settings } from '../settings/settings.ts';
import { visible } from '../../reports/visible.ts';

/**
 * Makes the checks again that showed the findings of a results file, with its seed and as many cases, and says of each finding
 * whether it is still there. Gives 1 where one is, 2 where one could not be tried, 0 where all are gone. Throws an ArgumentError
 * for a file without findings, and for one of another edition of the suite.
 */
export async function repeatFindings(
  asked: Arguments,
  path: string,
  settings: Settings,
  environment: Environment,
  interruption: Interruption,
): Promise<number> {
  const before = readResultsFile(path);
  const checks = checksToRepeat(before);
  if (checks.length === 0) throw new ArgumentError(`--repeat: ${path} has no findings, there is nothing to repeat`);
  const place = visible(before.target.baseUrl);
  if (before.target.kind === 'sandbox' && settings.target !== 'sandbox')
    throw new ArgumentError(
      `--repeat: ${path} tells of ${place}, and what would be asked is the simulator: set NFE_BASE_URL`,
    );
  const clauses = [...new Set(checks.map(({ clause }) => clause))];
  const strange = clauses.find((id) => !findClause(id));
  if (strange !== undefined)
    throw new ArgumentError(
      `--repeat: ${path} tells of ${strange}, which no clause is called here: repeat it with the edition of its run`,
    );
  const own = { ...repeatSettings(settings), numRuns: before.numRuns };
  const again = { ...asked, clauses, checks, seed: before.seed, needs: companiesOf(before, checks) };
  const ended = await conformanceRun(again, own, environment, interruption);
  const file = join(own.reportDir, 'results.json');
  if (interruption.signal() !== undefined || !existsSync(file)) return ended;
  const all = repeatedFindings(before, readResultsFile(file));
  const isElsewhere = before.target.kind === 'sandbox' && before.target.baseUrl !== settings.baseUrl;
  const where = isElsewhere
    ? [`The findings are of ${place}; what follows is of ${visible(settings.baseUrl ?? '')}.`, '']
    : [];
  process.stdout.write(`\n${[...where, ...all.flatMap(linesOf)].join('\n')}\n`);
  return statusOf(all);
}

/** The checks that show the findings of a run; of what was seen in passing also those that it was seen in, or before. */
function checksToRepeat(results: Results): readonly CheckName[] {
  const named = findingsIn(results).flatMap(({ evidence }) => evidence);
  const inPassingOf = new Set(named.flatMap(({ clause, check }) => (check === inPassing ? [clause] : [])));
  const seenIn = results.clauses
    .filter(({ id }) => inPassingOf.has(id))
    .flatMap((clause) => {
      const found = clause.checks.flatMap((check) => check.seenIn ?? []);
      if (found.length > 0) return found;
      const seen = clause.checks.find(({ name }) => name === inPassing);
      return checkAfter(results, seen?.endpoint);
    });
  // Of a clause that is seen in passing alone one check is made, too: a run judges what it checks.
  const checked = new Set([...named, ...seenIn].flatMap(({ clause, check }) => (check === inPassing ? [] : [clause])));
  const unchecked = results.clauses.filter(({ id }) => inPassingOf.has(id) && !checked.has(id));
  const one = unchecked.flatMap((clause) => ownChecks([clause]).slice(0, 1));
  const all = [...named, ...seenIn, ...one].map(
    ({ clause, check }) => [`${clause}: ${check}`, { clause, check }] as const,
  );
  return [...new Map(all).values()];
}

/** As many companies of the profile as the stories of these checks tell of, whatever their clauses need, and an invoice of the first. */
function companiesOf({ clauses }: Results, names: readonly CheckName[]): readonly NeedName[] {
  const checks = names.map(({ clause, check }) =>
    clauses.find(({ id }) => id === clause)?.checks.find(({ name }) => name === check),
  );
  const stories = checks.flatMap((check) => check?.story ?? []);
  const shown = checks.flatMap((check) => check?.exchanges ?? []);
  const evidence = [...stories.flatMap((step) => ('evidence' in step ? [step.evidence] : [])), ...shown];
  const companies = new Set(
    evidence.flatMap(({ request }) => /\/empresas\/([^/]+)/.exec(request.target)?.slice(1) ?? []),
  );
  // Where an id is made up, a company too many is registered; one too few would leave a check unmade.
  if (companies.size === 0) return [];
  return ['empresa', 'authorised-issuance', ...(companies.size > 1 ? (['other-empresa'] as const) : [])];
}

/** A check of the topic of that endpoint: a run that makes it calls the endpoint before, as it was called where no check is named. */
function checkAfter({ clauses }: Results, endpoint = ''): CheckName[] {
  const [method = '', target = ''] = endpoint.split(' ');
  const called = calledEndpoint(method, target);
  if (called === undefined || !('name' in called)) return [];
  const topic = called.name === 'webhook-registration' ? 'webhook-url' : called.name;
  return ownChecks(clauses)
    .filter(({ clause }) => clause.startsWith(`${topic}.`))
    .slice(0, 1);
}

/** The checks of clauses, those first that could be made. */
function ownChecks(clauses: Results['clauses']): CheckName[] {
  const own = clauses.flatMap(({ id: clause, checks }) =>
    checks
      .filter(({ name }) => name !== inPassing)
      .map(({ name: check, state }) => ({ name: { clause, check }, state })),
  );
  const { made = [], unmade = [] } = Object.groupBy(own, ({ state }) =>
    state === 'not-exercised' ? 'unmade' : 'made',
  );
  return [...made, ...unmade].map(({ name }) => name);
}

function linesOf({ finding, state, now }: RepeatedFinding): string[] {
  const head = `${state.padEnd('REPRODUCED'.length)}  ${finding.clauses[0] ?? ''}: ${finding.summary}`;
  return [visible(head), ...(now === undefined ? [] : [`            now: ${visible(now)}`])];
}

function statusOf(all: readonly RepeatedFinding[]): number {
  if (all.some(({ state }) => state === 'REPRODUCED' || state === 'CHANGED')) return 1;
  return all.some(({ state }) => state === 'NOT TRIED') ? 2 : 0;
}
