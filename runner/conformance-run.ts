import { randomBytes, randomInt } from 'node:crypto';
import { catalogue, findClause, isJudged } from '../contract/catalogue.ts';
import { sumOfCosts } from '../contract/cost.ts';
import type { KnownDeviations } from '../contract/known-deviation.ts';
import { ledgerMemory, openLedger, spentSoFar, type Ledger } from '../client/ledger.ts';
import { maskFor } from '../trace/mask.ts';
import { listingOf } from '../reports/deviations.ts';
import type { Language } from '../reports/language.ts';
import { errorResults, judge, verdictOfFailure } from '../reports/judge.ts';
import type { Results } from '../schemas/results.ts';
import { userAgentOf } from '../schemas/run-id.ts';
import type { Run, SharedReceiver, TargetAddress } from '../targets/address.ts';
import { ProfileError } from '../targets/profile-content.ts';
import { maskAt } from '../targets/mask.ts';
import { withoutPeople } from '../targets/people.ts';
import { readProfile, type Profile } from '../targets/profile.ts';
import { isRepetition, type Arguments } from './arguments.ts';
import { openBeforeChecks } from './before-checks.ts';
import { budgetFor, deadlineOf } from './budget.ts';
import { clausesWithChecks, readKnownDeviations, refuseUnknownChecks } from './known-deviations.ts';
import { keepContainerLog } from './container-log.ts';
import { haltedResults, interruptedReason, interruptedResults } from './cut-short.ts';
import { withoutDyingAnswers } from './dying-answers.ts';
import { earlierDurationMs, earlierFields, historyPath } from './history-of-run.ts';
import { Interrupted, stopInTime, type Interruption } from './interruption.ts';
import { costTable, wayAt } from './plan/costs.ts';
import { announcement } from './plan/lines.ts';
import { planOf } from './plan/plan.ts';
import { secretsAt } from './preflight/diagnose.ts';
import { examine } from './preflight/examine.ts';
import type { Say } from '../reports/language.ts';
import { sayIn } from './language.ts';
import { preflightLines } from './preflight/lines.ts';
import { refuseUnfair, TargetError } from './preflight/target-error.ts';
import { showProgress, type WatchedRun } from './progress.ts';
import { fileErrorCode, isFileError } from './file-error.ts';
import { publish, searchOf, type Publication } from './publish.ts';
import { clearReports } from './report-folder.ts';
import { factsOf, runOf, type RunBasis } from './run-facts.ts';
import type { BudgetOf, SpecsResult } from './run-specs.ts';
import { selectClauses } from './select.ts';
import { SettingError } from './setting-error.ts';
import { readBaseline } from './setting-files.ts';
import { readStored } from './receiver-folder.ts';
import { withSharedReceiver } from './shared-receiver.ts';
import { namedSecrets, openTexts, type Environment, type Settings } from './settings.ts';
import { startUnlessInterrupted } from './start-target.ts';
import { stopwatch } from './stopwatch.ts';
import { suiteFacts } from './suite.ts';
import { ownSurroundings } from './surroundings.ts';
import { headOf, makePartsFolder, removePartsFolder, writeTrace, type Trace } from './trace-file.ts';
import { watchedClauses } from './watched-clauses.ts';

/**
 * Runs the suite against the target of the settings, writes the reports and prints the summary; gives the exit status. A run
 * that is interrupted reports what was judged so far, and leaves its threads at work.
 */
export async function conformanceRun(
  asked: Arguments,
  settings: Settings,
  environment: Environment,
  interruption: Interruption,
): Promise<number> {
  const clauses = selectClauses(asked);
  const baseline = settings.baseline === undefined ? undefined : readBaseline(settings.baseline);
  const knownDeviations = await readDeviations(settings);
  const profile = profileOf(settings);
  const stored = asked.received === undefined ? {} : { stored: await readStored(asked.received) };
  const watch = stopwatch();
  await clearReports(settings.reportDir, 'NFE_REPORT_DIR');
  const seed = asked.seed ?? settings.seed ?? randomInt(2 ** 31);
  const traffic = { memory: ledgerMemory(), budget: 0 };
  const ledger = openLedger(traffic.memory, { maxRps: 0, budget: 0 });
  const basis: RunBasis = { asked, settings, suite: suiteFacts(), seed, knownDeviations, watch, ledger };
  void interruption.happened.then(() => ledger.guard.halt('interrupted', interruptedReason));
  const started = await startUnlessInterrupted(settings, environment, interruption);
  const secrets = new Map([...maskedSecrets(settings, started.address), ...profile.secrets()]);
  const stops = [started.stop];
  const { reportDir, requireComplete, requireLevel, language } = settings;
  const say = sayIn(language);
  // One check says nothing of a run, and a shard only a part: the merged run is the one that counts.
  const isAdded = !isRepetition(asked) && asked.shard === undefined;
  const history = { path: historyPath(settings), isAdded };
  const open = openTexts(settings);
  const beside: string[] = [];
  const wishes = {
    reportDir,
    requireComplete,
    requireLevel,
    language,
    baseline,
    secrets,
    open,
    history,
    watch,
    beside,
  };
  const report = (results: Results, made: ReadonlySet<string> = new Set(), errorSaid?: string): Promise<number> =>
    publish(results, { ...wishes, made, errorSaid });
  try {
    watch.lap('start');
    const ids = clauses.filter(isJudged).map(({ id }) => id);
    const userAgent = userAgentOf({ startedAt: watch.startedAt, seed }, basis.suite.version);
    const known = { ...started.address, userAgent, webhook: { ...started.address.webhook, ...stored } };
    const { guard } = interruption;
    const before = openBeforeChecks();
    const wish = { clauses: ids, listener: before.listener };
    const examination = await guard(() => examine(settings, known, traffic, undefined, wish));
    for (const [secret, stand] of examination.secrets) secrets.set(secret, stand);
    refuseUnfair(examination.findings);
    const mask = withoutPeople(maskAt(started.address, secrets), started.address.people);
    for (const line of preflightLines(examination, mask, say)) process.stdout.write(`${line}\n`);
    const { address, stop } = await guard(() => withSharedReceiver(examination.address, settings, traffic, ids));
    stops.push(stop);
    if (address.webhook.shared) announceCallbacks(address.webhook.shared, secrets, (text) => say(mask(text)));
    watch.lap('preflight');
    const trace = { directory: makePartsFolder(), key: randomBytes(32).toString('hex') };
    stops.push(() => removePartsFolder(trace.directory));
    before.write(trace, { address, secrets, appSecret: examination.appSecret });
    const run = runOf(basis, { ...address, earlierFields: earlierFields(history.path, address) }, ids, {
      traffic,
      secrets,
      trace,
    });
    const progress = showProgress(watchedRun(basis, run, history.path), ownSurroundings(environment));
    // Loaded only now: vitest takes longer to load than a bad setting to be found.
    const { runSpecs } = await guard(() => import('./run-specs.ts'));
    const budgetOf = address.kind === 'sandbox' ? announcedBudget(address, ledger, language) : undefined;
    const specs = await runSpecs([run], budgetOf, progress.watcher, interruption.happened).finally(progress.close);
    watch.lap('specs', specs.fileDurations);
    const facts = factsOf(basis, address);
    const outcomes = withoutDyingAnswers(specs.outcomes.get(run.name) ?? [], ledger.guard.outages.startsMs());
    const signal = interruption.signal();
    const lines = specs.lines.get(run.name) ?? [];
    const head = headOf(facts, clauses, run, ledger.guard.halted());
    if (signal === undefined) beside.push(...keepTrace({ head, outcomes, lines }, wishes, specs.secrets));
    if (signal !== undefined) {
      const soFar = { outcomes, done: progress.done() };
      return await report(interruptedResults(facts, clauses, soFar, signal), specs.secrets);
    }
    const fault = faultOf(specs, asked);
    if (fault !== undefined) return await report(errorResults(facts, fault, 'suite'), specs.secrets);
    const results = judge(facts, clauses, outcomes);
    return await report(haltedResults(facts, results, ledger.guard.halted(), warnOf(secrets)), specs.secrets);
  } catch (error) {
    const facts = factsOf(basis, started.address);
    if (error instanceof Interrupted) {
      const nothing = { outcomes: [], done: new Set<string>() };
      return await report(interruptedResults(facts, clauses, nothing, error.signal));
    }
    if (!(error instanceof TargetError)) throw error;
    const mask = withoutPeople(maskFor(secrets), started.address.people);
    const said = error.said((text) => say(mask(text)));
    return await report(errorResults(facts, mask(error.message), error.trouble), new Set(), said);
  } finally {
    await stopInTime(stops, interruption);
    if (started.log) await keepContainerLog(reportDir, started.log(secrets), (line) => void process.stderr.write(line));
  }
}

/** Writes the trace of a run; gives its path, or says why there is none. */
function keepTrace(trace: Trace, wishes: Publication, made: ReadonlySet<string>): string[] {
  // Of an embedded target every secret was made for the run, and each thread has hidden its own.
  const search = trace.head.facts.target.kind === 'embedded' ? undefined : searchOf({ ...wishes, made });
  try {
    return [writeTrace(wishes.reportDir, trace, search)];
  } catch (error) {
    if (!isFileError(error)) throw error;
    warnOf(wishes.secrets)(`the trace of the run can't be written (${fileErrorCode(error)})`);
    return [];
  }
}

/** Says one line that stays, without secrets. */
function warnOf(secrets: ReadonlyMap<string, string>): (line: string) => void {
  return (line) => void process.stderr.write(`warning: ${maskFor(secrets)(line)}\n`);
}

/** A run as the one who shows its progress sees it. */
function watchedRun(basis: RunBasis, run: Run, historyFile: string): WatchedRun {
  const { settings, knownDeviations, ledger } = basis;
  const earlierMs = earlierDurationMs(historyFile, factsOf(basis, run.address));
  return {
    ...watchedClauses(run),
    sent: () => ledger.sent(),
    maxRps: run.address.maxRps,
    mask: maskFor(run.secrets),
    verdictOf: failureVerdicts(settings, { knownDeviations, startedAt: basis.watch.startedAt }),
    ...(earlierMs === undefined ? {} : { earlierMs }),
  };
}

/** What the failed check of a clause of the catalogue makes of the clause in this run. */
function failureVerdicts({ strict }: Settings, facts: Parameters<typeof listingOf>[0]): WatchedRun['verdictOf'] {
  return (id, check) => {
    const clause = findClause(id);
    return clause ? verdictOfFailure(clause, listingOf(facts, id, []).covers(check), strict) : 'failed';
  };
}

/** Says where callbacks will come, and hides the token that they carry. */
function announceCallbacks({ url, token, refusal }: SharedReceiver, secrets: Map<string, string>, say: Say): void {
  secrets.set(token, '$WEBHOOK_TOKEN');
  const what =
    refusal ??
    `Callbacks of this run come to ${new URL(url).origin}; it may have replaced the address of the application.`;
  process.stdout.write(`${say(what)}\n`);
}

/** Says before the first check what the run will cost its target, with what it has cost already, and for how long. */
function announcedBudget(address: TargetAddress, ledger: Ledger, language: Language): BudgetOf {
  return (checks) => {
    const { maxRps } = address;
    const answerMs = ledger.guard.pace.fastestAnswerMs();
    const { cost, waitSeconds } = planOf(checks, costTable, wayAt(address));
    const whole = sumOfCosts([spentSoFar(ledger), cost]);
    process.stdout.write(`${announcement(whole, { maxRps, answerMs, waitSeconds }, language).join('\n')}\n\n`);
    const requests = Math.round(whole.requests);
    const deadline = deadlineOf(requests, maxRps, answerMs, waitSeconds);
    return { budget: budgetFor(requests), ...(deadline ? { deadline } : {}) };
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

async function readDeviations({ knownDeviations }: Settings): Promise<KnownDeviations> {
  if (knownDeviations === undefined) return {};
  const ids = catalogue.map(({ id }) => id);
  const known = readKnownDeviations(knownDeviations, ids);
  const clauses = clausesWithChecks(known);
  if (clauses.length === 0) return known;
  // Loaded only now, as below: most lists name no check.
  const { checkTitles } = await import('./check-titles.ts');
  refuseUnknownChecks(known, await checkTitles(clauses));
  return known;
}

/** Every secret that this run knows of, with the text that takes its place. */
function maskedSecrets(settings: Settings, address: TargetAddress): Map<string, string> {
  return new Map([...secretsAt(address), ...namedSecrets(settings)]);
}

/** What keeps the outcomes of a run from being judged, in one sentence. */
function faultOf({ faults, outcomes }: SpecsResult, { check }: Arguments): string | undefined {
  if (faults.length > 0) return `the suite broke, which says nothing of the target: ${faults.join(' | ')}`;
  const isEmpty = [...outcomes.values()].every((ofRun) => ofRun.length === 0);
  return isEmpty ? `no check ran${check === undefined ? '' : `: none is titled "${check}"`}` : undefined;
}
