import { commonTexts } from '../../trace/mask.ts';
import { isReceived } from '../../trace/links.ts';
import { secretMatcher, soughtOf, type SecretMatcher } from '../../trace/secrets/matcher.ts';
import { type Mask, remembering } from '../../trace/people/words-mask.ts';
import { type Language, counted } from '../../reports/language.ts';
import type { Earlier } from '../../reports/changes.ts';
import { withSince } from '../../reports/findings/since.ts';
import { leakTexts, maskedResults } from '../../reports/leaks.ts';
import { earlierRun } from '../../reports/history.ts';
import type { HistoryLine } from '../../schemas/stored.ts';
import { summaryLines } from '../../reports/terminal.ts';
import { judgedNothing, mustClauses } from '../../reports/verdicts.ts';
import { visible } from '../../reports/visible.ts';
import { traceName, writeReports, type ReportFile } from '../../reports/write.ts';
import type { Results } from '../../schemas/results.ts';
import { fileErrorCode, isFileError } from '../command-line/argument-error.ts';
import { historyOfRun, type RunHistory, historyPath } from './history-file.ts';
import { sayIn } from '../portuguese/in-portuguese.ts';
import { mutantsFor } from './report-folder.ts';
import type { Stopwatch } from '../run/run-facts.ts';
import { readBaseline } from '../settings/setting-files.ts';
import { namedSecrets, type Settings } from '../settings/settings.ts';
import { assuranceLevels, type AssuranceLevel } from '../../contract/clause.ts';
import { levelDistance } from '../../reports/levels.ts';

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
  const { find } = matcher;
  const mask = remembering(matcher.hide);
  const masked = maskedResults(withTrace(results, publication), mask);
  const history = historyOfRun(masked, publication.history, (line) => warnOfHistory(line, find));
  const { baseline } = publication;
  const known = { history, ...(baseline === undefined ? {} : { baseline }) };
  const safe = withSince(masked, known);
  const paths = await written(safe, publication, { mask, find, history });
  if (paths === undefined) return 2;
  publication.watch.lap('reports');
  const say = sayIn(publication.language);
  const message = publication.errorSaid ?? say(safe.error ?? 'the results do not say which');
  if (results.verdict === 'error') process.stderr.write(`error: ${visible(mask(message), '\n')}\n`);
  const summary = judgedNothing(results) ? [] : summaryOf(safe, earlierRun(safe, known), publication).map(mask);
  const { status, notes } = endingOf(results, publication);
  process.stdout.write(
    `${[...summary, ...notes.map(say), say(`Reports: ${pathText([...paths, ...(publication.beside ?? [])].join(', '), find)}`)].join('\n')}\n`,
  );
  return status;
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

function summaryOf(results: Results, earlier: Earlier | undefined, { watch, language }: Publication): string[] {
  const colour = process.stdout.isTTY && !process.env['NO_COLOR'];
  const say = sayIn(language);
  return [...summaryLines(results, { colour, earlier }, { language, say }), say(watch.line())];
}

/**
 * The paths of the reports; `undefined`, said in one line, where the disk refused them: then the summary is all that is left of
 * the run, and is printed. What a last search had to replace is said, and changes nothing else.
 */
async function written(
  results: Results,
  publication: Publication,
  {
    mask,
    find,
    history,
  }: Pick<SecretMatcher, 'find'> & {
    readonly mask: Mask;
    readonly history: readonly HistoryLine[];
  },
): Promise<readonly string[] | undefined> {
  const { reportDir, baseline, except = [], language } = publication;
  const mutants = mutantsFor(reportDir);
  try {
    const { paths, leaks } = await writeReports(reportDir, results, {
      mask,
      searchOf: (ownTexts) => matcherOf(publication, ownTexts),
      history,
      except,
      speech: { language, say: sayIn(language) },
      inPortuguese: remembering(sayIn('pt-BR')),
      ...(baseline === undefined ? {} : { baseline }),
      ...(mutants === undefined ? {} : { mutants }),
    });
    for (const told of leakTexts(leaks, language)) process.stderr.write(`warning: ${told}\n`);
    return paths;
  } catch (error) {
    if (!isFileError(error)) throw error;
    process.stdout.write(`${mask(summaryOf(results, undefined, publication).join('\n'))}\n`);
    process.stderr.write(
      `error: the reports can't be written to ${pathText(reportDir, find)} (${fileErrorCode(error)})\n`,
    );
    return undefined;
  }
}

/** Says that a history is not used, without the path that holds a secret. */
function warnOfHistory(line: string, find: SecretMatcher['find']): void {
  const isPlain = find(line).length === 0;
  process.stderr.write(
    `${isPlain ? line : 'warning: the history of the runs, in whose path is a secret, is not used'}\n`,
  );
}

/** A text with a path in it as it stands, unless a secret is in it: with a piece of it replaced, the path would lead nowhere. */
function pathText(text: string, find: SecretMatcher['find']): string {
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
