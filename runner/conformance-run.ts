import { randomInt } from 'node:crypto';
import { catalogue, findClause, isJudged } from '../contract/catalogue.ts';
import { sumOfCosts } from '../contract/cost.ts';
import { ledgerMemory, openLedger, spentSoFar, type Ledger } from '../client/ledger.ts';
import { maskFor } from '../client/mask.ts';
import { errorResults, judge, verdictOfFailure } from '../reports/judge.ts';
import type { Results } from '../schemas/results.ts';
import type { Run, SharedReceiver, TargetAddress } from '../targets/address.ts';
import { ProfileError } from '../targets/profile-content.ts';
import { readProfile, type Profile } from '../targets/profile.ts';
import { isOfOneCheck, type Arguments } from './arguments.ts';
import { budgetFor } from './budget.ts';
import { keepContainerLog } from './container-log.ts';
import { earlierDurationMs, historyPath } from './history-of-run.ts';
import { costTable, wayAt } from './plan/costs.ts';
import { announcement } from './plan/lines.ts';
import { planOf } from './plan/plan.ts';
import { examine } from './preflight/examine.ts';
import { preflightLines } from './preflight/lines.ts';
import { refuseUnfair, TargetError } from './preflight/target-error.ts';
import { showProgress, type WatchedRun } from './progress.ts';
import { publish } from './publish.ts';
import { clearReports } from './report-folder.ts';
import { factsOf, runOf, type RunBasis } from './run-facts.ts';
import type { BudgetOf, SpecsResult } from './run-specs.ts';
import { selectClauses } from './select.ts';
import { SettingError } from './setting-error.ts';
import { readBaseline, readKnownDeviations } from './setting-files.ts';
import { readStored } from './receiver-folder.ts';
import { withSharedReceiver } from './shared-receiver.ts';
import { namedSecrets, type Environment, type Settings } from './settings.ts';
import { startTarget } from './start-target.ts';
import { stopwatch } from './stopwatch.ts';
import { suiteFacts } from './suite.ts';
import { ownSurroundings } from './surroundings.ts';

/** Runs the suite against the target of the settings, writes the reports and prints the summary; gives the exit status. */
export async function conformanceRun(asked: Arguments, settings: Settings, environment: Environment): Promise<number> {
  const clauses = selectClauses(asked);
  const baseline = settings.baseline === undefined ? undefined : readBaseline(settings.baseline);
  const knownDeviations = readDeviations(settings);
  const profile = profileOf(settings);
  const stored = asked.received === undefined ? {} : { stored: await readStored(asked.received) };
  const watch = stopwatch();
  await clearReports(settings.reportDir, 'NFE_REPORT_DIR');
  const seed = asked.seed ?? settings.seed ?? randomInt(2 ** 31);
  const traffic = { memory: ledgerMemory(), budget: 0 };
  const ledger = openLedger(traffic.memory, { maxRps: 0, budget: 0 });
  const basis: RunBasis = { asked, settings, suite: suiteFacts(), seed, knownDeviations, watch, ledger };
  const started = await startTarget(settings, environment);
  const secrets = new Map([...maskedSecrets(settings, started.address), ...profile.secrets()]);
  const stops = [started.stop];
  const { reportDir, requireComplete } = settings;
  // One check says nothing of a run, and a shard only a part: the merged run is the one that counts.
  const isAdded = !isOfOneCheck(asked) && asked.shard === undefined;
  const history = { path: historyPath(settings), isAdded };
  const report = (results: Results, made: ReadonlySet<string> = new Set()): Promise<number> =>
    publish(results, { reportDir, requireComplete, baseline, secrets, made, history, watch });
  try {
    watch.lap('start');
    const ids = clauses.filter(isJudged).map(({ id }) => id);
    const known = { ...started.address, webhook: { ...started.address.webhook, ...stored } };
    const examination = await examine(settings, known, traffic, undefined, { clauses: ids });
    for (const [secret, stand] of examination.secrets) secrets.set(secret, stand);
    refuseUnfair(examination.findings);
    for (const line of preflightLines(examination, maskFor(secrets))) process.stdout.write(`${line}\n`);
    const { address, stop } = await withSharedReceiver(examination.address, settings, traffic, ids);
    stops.push(stop);
    if (address.webhook.shared) announceCallbacks(address.webhook.shared, secrets);
    watch.lap('preflight');
    const run = runOf(basis, address, ids, { traffic, secrets });
    const progress = showProgress(watchedRun(basis, run, history.path), ownSurroundings(environment));
    // Loaded only now: vitest takes longer to load than a bad setting to be found.
    const { runSpecs } = await import('./run-specs.ts');
    const { latencyMs } = examination;
    const budgetOf = address.kind === 'sandbox' ? announcedBudget(address, ledger, latencyMs) : undefined;
    const specs = await runSpecs([run], budgetOf, progress.watcher).finally(progress.close);
    watch.lap('specs', specs.fileDurations);
    const fault = faultOf(specs, asked);
    const facts = factsOf(basis, address);
    if (fault !== undefined) return await report(errorResults(facts, fault, 'suite'), specs.secrets);
    return await report(judge(facts, clauses, specs.outcomes.get(run.name) ?? []), specs.secrets);
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    return await report(errorResults(factsOf(basis, started.address), error.message, error.trouble));
  } finally {
    for (const stop of stops) await stop();
    if (started.log) await keepContainerLog(reportDir, started.log(secrets), (line) => void process.stderr.write(line));
  }
}

/** A run as the one who shows its progress sees it. */
function watchedRun(basis: RunBasis, run: Run, historyFile: string): WatchedRun {
  const { settings, knownDeviations, ledger } = basis;
  const earlierMs = earlierDurationMs(historyFile, factsOf(basis, run.address));
  return {
    clauses: run.clauses,
    sent: () => ledger.sent(),
    maxRps: run.address.maxRps,
    mask: maskFor(run.secrets),
    verdictOf: failureVerdicts(settings, knownDeviations),
    ...(earlierMs === undefined ? {} : { earlierMs }),
  };
}

/** What the failed check of a clause of the catalogue makes of the clause in this run. */
function failureVerdicts({ strict }: Settings, known: Readonly<Record<string, string>>): WatchedRun['verdictOf'] {
  return (id) => {
    const clause = findClause(id);
    return clause ? verdictOfFailure(clause, known[id], strict) : 'failed';
  };
}

/** Says where callbacks will come, and hides the token that they carry. */
function announceCallbacks({ url, token, refusal }: SharedReceiver, secrets: Map<string, string>): void {
  secrets.set(token, '$WEBHOOK_TOKEN');
  const what =
    refusal ??
    `Callbacks of this run come to ${new URL(url).origin}; it may have replaced the address of the application.`;
  process.stdout.write(`${what}\n`);
}

/** Says before the first check what the run will cost its target, with what it has cost already. */
function announcedBudget(address: TargetAddress, ledger: Ledger, latencyMs: number): BudgetOf {
  return (checks) => {
    const plan = planOf(checks, costTable, wayAt(address));
    const cost = sumOfCosts([spentSoFar(ledger), plan.cost]);
    const { maxRps } = address;
    const lines = announcement({ cost, waitSeconds: plan.waitSeconds }, { maxRps, latencyMs });
    process.stdout.write(`${lines.join('\n')}\n\n`);
    return budgetFor(Math.round(cost.requests));
  };
}

function profileOf({ profile }: Settings): Profile {
  try {
    return readProfile(profile);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    throw new SettingError(`NFE_PROFILE: ${error.message}`);
  }
}

function readDeviations({ knownDeviations }: Settings): Record<string, string> {
  if (knownDeviations === undefined) return {};
  return readKnownDeviations(
    knownDeviations,
    catalogue.map(({ id }) => id),
  );
}

/** Every secret that this run knows of, with the text that takes its place. */
function maskedSecrets(settings: Settings, address: TargetAddress): Map<string, string> {
  return new Map([
    ...namedSecrets(settings),
    ...(address.control ? [[address.control.token, '$NFE_CONTROL_TOKEN'] as const] : []),
  ]);
}

/** What keeps the outcomes of a run from being judged, in one sentence. */
function faultOf({ faults, outcomes }: SpecsResult, { check }: Arguments): string | undefined {
  if (faults.length > 0) return `the suite broke, which says nothing of the target: ${faults.join(' | ')}`;
  const isEmpty = [...outcomes.values()].every((ofRun) => ofRun.length === 0);
  return isEmpty ? `no check ran${check === undefined ? '' : `: none is titled "${check}"`}` : undefined;
}
