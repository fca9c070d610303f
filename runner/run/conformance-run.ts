import { randomBytes, randomInt } from 'node:crypto';
import { findClause, isJudged, type KnownDeviations } from '../../contract/catalogue.ts';
import type { Clause } from '../../contract/clause.ts';
import { ledgerMemory, openLedger } from '../../targets/traffic/ledger.ts';
import { maskFor } from '../../trace/mask.ts';
import { listingOf } from '../../reports/deviations.ts';
import { errorResults, verdictOfFailure } from '../../reports/judge.ts';
import { userAgentOf } from '../../schemas/results.ts';
import type { Run, SharedReceiver, TargetAddress, Traffic } from '../../targets/address.ts';
import { ProfileError, readProfile, type Profile } from '../../targets/profile.ts';
import { maskAt, withoutPeople } from '../../targets/mask.ts';
import { isRepetition, type Arguments, selectClauses } from '../command-line/arguments.ts';
import { openBeforeChecks } from './before-checks.ts';
import { clausesWithChecks, readKnownDeviations, refuseUnknownChecks } from '../settings/setting-files.ts';
import { keepContainerLog, startUnlessInterrupted, unstartedAddress, type RunningTarget } from './start-target.ts';
import { interruptedReason, runResults, withoutDyingAnswers } from '../judging/run-results.ts';
import { clearReports } from '../results/report-folder.ts';
import { Interrupted, stopInTime, type Interruption, ownSurroundings } from './own-process.ts';
import { secretsAt } from '../preflight/diagnose.ts';
import { examine, preflightLines } from '../preflight/examine.ts';
import type { Say } from '../../reports/language.ts';
import { sayIn } from '../portuguese/in-portuguese.ts';
import { refuseUnfair, TargetError } from '../preflight/finding.ts';
import { showProgress, type WatchedRun, watchedClauses } from './progress.ts';
import { fileErrorCode, isFileError } from '../command-line/argument-error.ts';
import { publicationBy, publish, matcherOf, type Publication } from '../results/publish.ts';
import { factsOf, runOf, type RunBasis, suiteFacts, stopwatch, spendingOf, type Thrift } from './run-facts.ts';
import type { SpecsResult } from './run-specs.ts';
import { SettingError, namedSecrets, type Environment, type Settings } from '../settings/settings.ts';
import { readStored } from './receiver-folder.ts';
import { withSharedReceiver } from './shared-receiver.ts';
import { spellIn } from '../judging/spell.ts';
import type { Results } from '../../schemas/results.ts';
import type { RecordLine } from '../../trace/lines.ts';
import { unsettledIn } from '../judging/unsettled.ts';
import { headOf, makePartsFolder, removePartsFolder, writeTrace, type Trace } from '../judging/trace-file.ts';
import { earlierFields } from '../results/history-file.ts';

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
  const underway = await begun(asked, settings, environment, interruption);
  const { started, secrets, stops } = underway;
  try {
    const run = await prepared(underway);
    return await concluded(underway, run, await checked(underway, run));
  } catch (error) {
    return await brokenOff(underway, error);
  } finally {
    await stopInTime(stops, interruption);
    if (started.log)
      await keepContainerLog(settings.reportDir, started.log(secrets), (line) => void process.stderr.write(line));
  }
}

/** A run that has begun: what was asked for, its target, and how it is reported. */
interface Underway {
  readonly asked: Arguments;
  readonly settings: Settings;
  readonly environment: Environment;
  readonly interruption: Interruption;
  readonly clauses: readonly Clause[];
  /** Deliveries that came to an earlier receiver, where they are to be judged. */
  readonly stored: Partial<TargetAddress['webhook']>;
  readonly basis: RunBasis;
  readonly traffic: Traffic;
  readonly started: RunningTarget;
  /** Every secret that the run knows of so far, with the text that takes its place. */
  readonly secrets: Map<string, string>;
  /** What is to be done in the end, whatever comes. */
  readonly stops: (() => Promise<void>)[];
  readonly wishes: Publication & { readonly beside: string[] };
}

/** Reads all that was asked for, which may be wrong, and then starts the target. */
async function begun(
  asked: Arguments,
  settings: Settings,
  environment: Environment,
  interruption: Interruption,
): Promise<Underway> {
  const clauses = selectClauses(asked);
  const knownDeviations = await readDeviations(settings);
  const profile = profileOf(settings);
  const stored = asked.received === undefined ? {} : { stored: await readStored(asked.received) };
  const watch = stopwatch();
  const publication = publicationBy(settings, watch);
  await clearReports(settings.reportDir, 'NFE_REPORT_DIR');
  const seed = asked.seed ?? settings.seed ?? randomInt(2 ** 31);
  const traffic = { memory: ledgerMemory(), budget: asked.budget ?? 0 };
  const ledger = openLedger(traffic.memory, { maxRps: 0, budget: 0 });
  const basis: RunBasis = { asked, settings, suite: suiteFacts(), seed, knownDeviations, watch, ledger };
  void interruption.happened.then(() => ledger.guard.halt('interrupted', interruptedReason));
  const started = await startUnlessInterrupted(settings, environment, interruption);
  watch.lap('start');
  const secrets = new Map([...secretsAt(started.address), ...namedSecrets(settings), ...profile.secrets()]);
  // One check says nothing of a run, and a shard only a part: the merged run is the one that counts.
  const isAdded = !isRepetition(asked) && asked.shard === undefined;
  const history = { ...publication.history, isAdded };
  const wishes = { ...publication, secrets, history, beside: [], made: new Set<string>() };
  const whole = { asked, settings, environment, interruption, clauses, stored, basis, traffic };
  return { ...whole, started, secrets, stops: [started.stop], wishes };
}

/** Examines the target before the first clause, says what was found, and opens what the checks share. */
async function prepared(underway: Underway): Promise<Run> {
  const { settings, interruption, clauses, stored, basis, traffic, started, secrets, stops, wishes } = underway;
  const say = sayIn(settings.language);
  const { guard } = interruption;
  const ids = clauses.filter(isJudged).map(({ id }) => id);
  const userAgent = userAgentOf({ startedAt: basis.watch.startedAt, seed: basis.seed }, basis.suite.version);
  const known = { ...started.address, userAgent, webhook: { ...started.address.webhook, ...stored } };
  const before = openBeforeChecks();
  const wish = { clauses: ids, needs: underway.asked.needs ?? [], listener: before.listener };
  const examination = await guard(() => examine(settings, known, traffic, undefined, wish));
  for (const [secret, stand] of examination.secrets) secrets.set(secret, stand);
  refuseUnfair(examination.findings);
  const mask = withoutPeople(maskAt(started.address, secrets), started.address.people);
  for (const line of preflightLines(examination, mask, say)) process.stdout.write(`${line}\n`);
  const { address, stop } = await guard(() => withSharedReceiver(examination.address, settings, traffic, ids));
  stops.push(stop);
  if (address.webhook.shared) announceCallbacks(address.webhook.shared, secrets, (text) => say(mask(text)));
  basis.watch.lap('preflight');
  const trace = { directory: makePartsFolder(), key: randomBytes(32).toString('hex') };
  stops.push(() => removePartsFolder(trace.directory));
  before.write(trace, { address, secrets, appSecret: examination.appSecret });
  const fields = earlierFields(wishes.history.path, address);
  return runOf(basis, { ...address, earlierFields: fields }, ids, { traffic, secrets, trace });
}

/** What came of the checks, and which clauses were done by then. */
interface Checked {
  readonly specs: SpecsResult;
  readonly done: ReadonlySet<string>;
  /** What a budget has made of the number of cases. */
  readonly thrift: Thrift;
}

/** Makes the checks, and shows how they are getting on. */
async function checked(underway: Underway, run: Run): Promise<Checked> {
  const { environment, interruption, basis } = underway;
  const { address } = run;
  const progress = showProgress(watchedRun(basis, run), ownSurroundings(environment));
  // Loaded only now: vitest takes longer to load than a bad setting to be found.
  const { runSpecs } = await interruption.guard(() => import('./run-specs.ts'));
  const spending = spendingOf(basis, address, progress.close);
  const specs = await runSpecs([run], {
    ...spending,
    watcher: progress.watcher,
    stopped: interruption.happened,
  }).finally(progress.close);
  basis.watch.lap('specs');
  return { specs, done: progress.done(), thrift: spending.thrift };
}

/** Keeps the trace, judges what came of the checks and reports it. */
async function concluded(underway: Underway, run: Run, { specs, done, thrift }: Checked): Promise<number> {
  const { asked, interruption, clauses, basis, secrets, wishes } = underway;
  const { guard } = basis.ledger;
  const lines = specs.lines.get(run.name) ?? [];
  const facts = { ...factsOf(basis, run.address), ...thrift, ...seenIn(lines, run) };
  const outcomes = withoutDyingAnswers(specs.outcomes.get(run.name) ?? [], guard.outages.startsMs());
  const signal = interruption.signal();
  const publication = { ...wishes, made: specs.secrets };
  const halt = guard.halted();
  if (signal === undefined) {
    const head = headOf(facts, clauses, run, halt);
    wishes.beside.push(...keepTrace({ head, outcomes, lines }, publication));
  }
  const interrupted = signal && { signal, done };
  const { results, warning } = runResults(facts, clauses, {
    outcomes,
    halt,
    interrupted,
    fault: faultOf(specs, asked),
  });
  if (warning !== undefined) warnOf(secrets)(warning);
  return await publish(results, publication);
}

/** What the answers of a whole run tell of its target that those of one check do not. Where a control API moves clocks, waiting says nothing. */
function seenIn(lines: readonly RecordLine[], { address }: Run): Partial<Pick<Results, 'spell' | 'unsettled'>> {
  const [spell, unsettled] = [spellIn(lines), address.control ? undefined : unsettledIn(lines)];
  return { ...(spell ? { spell } : {}), ...(unsettled ? { unsettled } : {}) };
}

/** Reports a run that has come to no verdict: it was interrupted early, or its target is none. Throws what is neither. */
async function brokenOff(underway: Underway, error: unknown): Promise<number> {
  const { settings, clauses, basis, started, secrets, wishes } = underway;
  const facts = factsOf(basis, started.address);
  if (error instanceof Interrupted) {
    const interrupted = { signal: error.signal, done: new Set<string>() };
    return await publish(runResults(facts, clauses, { outcomes: [], interrupted }).results, wishes);
  }
  if (!(error instanceof TargetError)) throw error;
  const say = sayIn(settings.language);
  const mask = withoutPeople(maskFor(secrets), started.address.people);
  const errorSaid = error.said((text) => say(mask(text)));
  return await publish(errorResults(facts, mask(error.message), error.trouble), { ...wishes, errorSaid });
}

/** Writes the trace of a run; gives its path, or says why there is none. */
function keepTrace(trace: Trace, wishes: Publication): string[] {
  // Of an embedded target every secret was made for the run, and each thread has hidden its own.
  const search = trace.head.facts.target.kind === 'embedded' ? undefined : matcherOf(wishes);
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
function watchedRun(basis: RunBasis, run: Run): WatchedRun {
  const { settings, knownDeviations, ledger } = basis;
  return {
    ...watchedClauses(run),
    sent: () => ledger.sent(),
    pendingMs: () => ledger.guard.waits.pendingMs(),
    maxRps: run.address.maxRps,
    mask: maskFor(run.secrets),
    verdictOf: failureVerdicts(settings, { knownDeviations, startedAt: basis.watch.startedAt }),
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

function profileOf({ profile }: Settings): Profile {
  try {
    return readProfile(profile);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    throw new SettingError(`NFE_PROFILE: ${error.message}`);
  }
}

async function readDeviations(settings: Settings): Promise<KnownDeviations> {
  const { knownDeviations } = settings;
  if (knownDeviations === undefined) return {};
  const known = readKnownDeviations(knownDeviations);
  const clauses = clausesWithChecks(known);
  if (clauses.length === 0) return known;
  // Loaded only now, as below: most lists name no check.
  const { checkTitles } = await import('./run-specs.ts');
  refuseUnknownChecks(known, await checkTitles(clauses, unstartedAddress(settings)));
  return known;
}

/** What keeps the outcomes of a run from being judged, in one sentence. */
function faultOf({ faults, outcomes }: SpecsResult, { check }: Arguments): string | undefined {
  if (faults.length > 0) return `the suite broke, which says nothing of the target: ${faults.join(' | ')}`;
  const isEmpty = [...outcomes.values()].every((ofRun) => ofRun.length === 0);
  return isEmpty ? `no check ran${check === undefined ? '' : `: none is titled "${check}"`}` : undefined;
}
