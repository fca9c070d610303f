import { commonTexts } from '../../trace/mask.ts';
import { secretMatcher, soughtOf, type SecretMatcher } from '../../trace/secrets/matcher.ts';
import { type Mask, remembering } from '../../trace/people/words-mask.ts';
import { type Language, counted } from '../../reports/language.ts';
import { leakTexts, maskedResults } from '../../reports/leaks.ts';
import { modelOf, type ReportModel } from '../../reports/model.ts';
import { summaryLines } from '../../reports/terminal.ts';
import { mustClauses } from '../../reports/verdicts.ts';
import { traceName, writeReports, type ReportFile } from '../../reports/write.ts';
import type { Results } from '../../schemas/results.ts';
import { fileErrorCode, isFileError, ArgumentError } from '../command-line/argument-error.ts';
import { mutantsFor, clearReports, proveWritable, readResultsFile } from './report-folder.ts';
import { sayIn } from '../portuguese/in-portuguese.ts';
import { type Stopwatch, stopwatch } from '../run/run-facts.ts';
import { readBaseline } from '../settings/setting-files.ts';
import { namedSecrets, type Settings } from '../settings/settings.ts';
import { assuranceLevels, type AssuranceLevel } from '../../contract/clause.ts';
import { levelDistance } from '../../reports/levels.ts';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mergedRun, readShards } from './shards.ts';
import { isReceived } from '../../trace/links.ts';
import { visible } from '../../reports/visible.ts';
import { historyOfRun, type RunHistory, historyPath } from './history-file.ts';
import { print } from '../command-line/print.ts';

/** What a run is published with. */
export interface Publication extends Requirements {
  /** Folder of the reports. */
  readonly reportDir: string;
  /** Language of the terminal and of `summary.md`. */
  readonly language: Language;
  readonly baseline: Results | undefined;
  /** Every secret that is known, with the text that takes its place. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Secrets of applications that the run made for itself: masked where they came up, and sought once more. */
  readonly made?: ReadonlySet<string>;
  /** What the settings say that is no secret: a part of a secret in it is no sign of the secret. */
  readonly open?: readonly (string | undefined)[];
  readonly history: RunHistory;
  readonly watch: Stopwatch;
  /** Reports that stay as they are. */
  readonly except?: readonly ReportFile[];
  /** What is printed of an error in place of its message. */
  readonly errorSaid?: string | undefined;
  /** Files that lie beside the reports, and are named with them. */
  readonly beside?: readonly string[];
}

/** What the settings say of how a run is published, which is not added to its history. @throws {SettingError} for the baseline. */
export function publicationBy(settings: Settings, watch: Stopwatch): Publication {
  const { reportDir, requireComplete, requireLevel, language, baseline } = settings;
  return {
    reportDir,
    requireComplete,
    requireLevel,
    language,
    baseline: baseline === undefined ? undefined : readBaseline(baseline),
    secrets: namedSecrets(settings),
    open: [settings.baseUrl, settings.appKey, settings.appName],
    history: { path: historyPath(settings), isAdded: false },
    watch,
  };
}

function withTrace(results: Results, { beside = [] }: Publication): Results {
  return beside.some((path) => path.endsWith(traceName)) ? { ...results, trace: traceName } : results;
}

/**
 * Adds a run to its history, writes its reports and prints its summary; gives the exit status that the run and what is
 * required of it come to, or 2 where the reports could not be written.
 */
export async function publish(results: Results, publication: Publication): Promise<number> {
  const matcher = matcherOf(publication);
  const mask = remembering(matcher.hide);
  const say = sayIn(publication.language);
  const model = modelFor(results, publication, matcher, mask);
  const paths = await written(model, publication, matcher, mask);
  if (paths === undefined) return 2;
  publication.watch.lap('reports');
  if (results.verdict === 'error') warn(`error: ${visible(mask(errorIn(model, publication)), '\n')}`);
  const { status, notes } = endingOf(model.results, publication);
  const summary = model.judgedNothing ? [] : summaryOf(model, publication).map(mask);
  const named = pathText([...paths, ...(publication.beside ?? [])].join(', '), matcher);
  print(...summary, ...notes.map(say), say(`Reports: ${named}`));
  return status;
}

/** The model of a run for its reports. Here its secrets are hidden, before anything is told of it. */
function modelFor(results: Results, publication: Publication, { find }: SecretMatcher, mask: Mask): ReportModel {
  const { baseline, reportDir } = publication;
  const safe = maskedResults(withTrace(results, publication), mask);
  return modelOf(safe, {
    history: historyOfRun(safe, publication.history, (line) => warnOfHistory(line, find)),
    // A secret of that run may have become known since.
    baseline: baseline && maskedResults(baseline, mask),
    mutants: mutantsFor(reportDir),
    inPortuguese: remembering(sayIn('pt-BR')),
  });
}

function warn(text: string): void {
  process.stderr.write(`${text}\n`);
}

function errorIn({ results }: ReportModel, { errorSaid, language }: Publication): string {
  return errorSaid ?? sayIn(language)(results.error ?? 'the results do not say which');
}

/** What finds the secrets of a run. A secret that the suite itself says in any report, `common`, is not sought. */
export function matcherOf(
  { secrets, made = new Set(), open }: Publication,
  common: readonly string[] = [],
): SecretMatcher {
  // Of the many that were made for the run, parts would be found by chance.
  const ofRun = [...made].filter((secret) => !secrets.has(secret)).map((secret) => [secret, '$APP_SECRET'] as const);
  const sought = [...soughtOf(secrets, isReceived), ...soughtOf(ofRun, () => true)];
  return secretMatcher(sought, { common: [...commonTexts(open), ...common], isCommonSpared: common.length > 0 });
}

function summaryOf(model: ReportModel, { watch, language }: Publication): string[] {
  const colour = process.stdout.isTTY && !process.env['NO_COLOR'];
  return [...summaryLines(model, { colour, language }), sayIn(language)(watch.line())];
}

/**
 * The paths of the reports; `undefined`, said in one line, where the disk refused them: then the summary is all that is left of
 * the run, and is printed. What a last search had to replace is said, and changes nothing else.
 */
async function written(
  model: ReportModel,
  publication: Publication,
  { find }: SecretMatcher,
  mask: Mask,
): Promise<readonly string[] | undefined> {
  const { reportDir, except = [], language } = publication;
  const searchOf = (ownTexts: readonly string[]): SecretMatcher => matcherOf(publication, ownTexts);
  try {
    const { paths, leaks } = await writeReports(reportDir, model, { searchOf, language, except });
    for (const told of leakTexts(leaks, language)) warn(`warning: ${told}`);
    return paths;
  } catch (error) {
    if (!isFileError(error)) throw error;
    print(summaryOf(model, publication).map(mask).join('\n'));
    warn(`error: the reports can't be written to ${pathText(reportDir, { find })} (${fileErrorCode(error)})`);
    return undefined;
  }
}

/** Says that a history is not used, without the path that holds a secret. */
function warnOfHistory(line: string, find: SecretMatcher['find']): void {
  const isPlain = find(line).length === 0;
  warn(isPlain ? line : 'warning: the history of the runs, in whose path is a secret, is not used');
}

/** A text with a path in it as it stands, unless a secret is in it: with a piece of it replaced, the path would lead nowhere. */
function pathText(text: string, { find }: Pick<SecretMatcher, 'find'>): string {
  return find(text).length === 0 ? text : '(not shown: the path holds a secret)';
}

/** What the settings ask of a run beyond its verdict. */
export interface Requirements {
  readonly requireComplete: boolean;
  readonly requireLevel: AssuranceLevel | undefined;
}

/** How a command that publishes a run ends. */
interface EndOfRun {
  /** 0 conformant or incomplete, 1 nonconformant or less than was required, 2 error. */
  readonly status: number;
  /** What the settings have to do with it, a line each; none where the verdict alone decides. */
  readonly notes: readonly string[];
}

/** How a run ends. What its results do not tell, those of a part do not tell of levels, is not held against it, and said. */
export function endingOf(results: Results, required: Requirements): EndOfRun {
  if (results.verdict === 'error') return { status: 2, notes: [] };
  if (results.verdict === 'nonconformant') return { status: 1, notes: [] };
  const unmet = [...unmetComplete(results, required), ...unmetLevel(results, required)];
  if (unmet.length > 0) return { status: 1, notes: unmet.map((why) => `Exit status 1: ${why}`) };
  return { status: 0, notes: untold(results, required) };
}

function unmetComplete({ verdict, clauses }: Results, { requireComplete }: Requirements): string[] {
  if (verdict !== 'incomplete' || !requireComplete) return [];
  const open = mustClauses(clauses).filter(
    ({ verdict }) => verdict === 'not-exercised' || verdict === 'blocked',
  ).length;
  return [
    `NFE_REQUIRE_COMPLETE is true, and ${counted(open, 'must clause')} ${open === 1 ? 'was' : 'were'} not exercised`,
  ];
}

function unmetLevel({ level }: Results, { requireLevel }: Requirements): string[] {
  if (level === undefined || requireLevel === undefined) return [];
  const rank = assuranceLevels.findIndex((name) => name === level.complete);
  if (rank >= assuranceLevels.indexOf(requireLevel)) return [];
  return [`NFE_REQUIRE_LEVEL is ${requireLevel}, which is not complete: ${levelDistance(level, requireLevel)}`];
}

function untold({ level }: Results, { requireLevel }: Requirements): string[] {
  if (level !== undefined || requireLevel === undefined) return [];
  return [
    `NFE_REQUIRE_LEVEL is ${requireLevel}, of which these results say nothing: only a run of the whole suite is held to it`,
  ];
}

/** What else a report of a past run is asked for: paths. */
interface ReportWishes {
  readonly out?: string;
  readonly baseline?: string;
  readonly history?: string;
}

/** The exit status of a report, and the folder where it lies. */
interface Published {
  readonly status: number;
  readonly reportDir: string;
}

/** Publishes what the shards in a folder come to together, as one run of the history. Throws an ArgumentError. */
export async function publishMerged(folder: string, asked: ReportWishes, settings: Settings): Promise<Published> {
  const reportDir = asked.out ?? settings.reportDir;
  const publication = publicationOf(reportDir, asked, settings);
  const results = mergedRun(readShards(folder, reportDir));
  await clearReports(reportDir, asked.out === undefined ? 'NFE_REPORT_DIR' : '--out');
  const history = { ...publication.history, isAdded: true };
  return { reportDir, status: await publish(results, { ...publication, history }) };
}

/**
 * Publishes the run of a `results.json` again: beside it, unless asked otherwise. That file stays as it is, and so does the
 * one of another run beside it: then an ArgumentError asks for another folder.
 */
export async function publishAgain(path: string, asked: ReportWishes, settings: Settings): Promise<Published> {
  const reportDir = asked.out ?? dirname(path);
  const there = join(reportDir, 'results.json');
  const isThere = existsSync(there);
  const isOwn = isThere && isSameFile(there, path);
  const results = readResultsFile(path);
  if (isThere && !isOwn && asked.out === undefined) {
    throw new ArgumentError(`${there} is of another run than ${path}: name a folder for its reports with --out`);
  }
  if (asked.history !== undefined && !existsSync(asked.history)) {
    throw new ArgumentError(`--history ${asked.history}: there is no such file`);
  }
  const publication = publicationOf(reportDir, asked, settings);
  proveWritable(reportDir, '--out');
  const except = isOwn ? (['results.json'] as const) : [];
  return { reportDir, status: await publish(results, { ...publication, except }) };
}

/** Whether two paths lead to the same file, or to files that are equal. */
function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (!a?.isFile() || !b?.isFile() || a.size !== b.size) return false;
  return readFileSync(one).equals(readFileSync(other));
}

function publicationOf(reportDir: string, { baseline, history }: ReportWishes, settings: Settings): Publication {
  const own = { ...settings, reportDir, history: history ?? settings.history };
  if (baseline === undefined) return publicationBy(own, stopwatch());
  return { ...publicationBy({ ...own, baseline: undefined }, stopwatch()), baseline: readResultsFile(baseline) };
}
