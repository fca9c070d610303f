import type { MutantsRecord, HistoryLine } from '../schemas/stored.ts';
import type { Finding } from '../schemas/finding.ts';
import type { ClauseResult, Results } from '../schemas/results.ts';
import { changesSince, judgementsOf, type Changes, type Earlier } from './changes.ts';
import { withSince } from './findings/findings.ts';
import { brokenSince, earlierRun, isSameTarget, seriesOf, type SeriesRun, type Since } from './history.ts';
import { sureSentences, levelSentence } from './levels.ts';
import { inEnglish, type Language, type Phrase, type Say } from './language.ts';
import { leakTexts } from './leaks.ts';
import { leftLine } from './summary-words.ts';
import { bareVerdictSentence } from './sentence.ts';
import { testCases, type TestCase } from './test-cases.ts';
import {
  byReason,
  byTopic,
  isBroken,
  isFlaky,
  isStale,
  judgedNothing,
  mustClauses,
  totalsOf,
  type ReasonGroup,
  type TopicSummary,
} from './verdicts.ts';
import { troublesOf, type TroubleCount } from './troubles.ts';

/** The groups of clauses that every report tells of, in their order and by their titles. */
export const groups = {
  failures: { title: { en: 'Failures', 'pt-BR': 'Falhas' }, has: isBroken },
  stale: { title: { en: 'Stale known deviations', 'pt-BR': 'Desvios conhecidos vencidos' }, has: isStale },
  warnings: { title: { en: 'Warnings', 'pt-BR': 'Avisos' }, has: isOf('warned') },
  known: { title: { en: 'Known deviations', 'pt-BR': 'Desvios conhecidos' }, has: isOf('known') },
  flaky: { title: { en: 'Flaky', 'pt-BR': 'Instáveis' }, has: isFlaky },
  'not-exercised': { title: { en: 'Not exercised', 'pt-BR': 'Não exercitadas' }, has: isOf('not-exercised') },
  blocked: { title: { en: 'Blocked', 'pt-BR': 'Bloqueadas' }, has: isOf('blocked') },
  withheld: { title: { en: 'Withheld', 'pt-BR': 'Retidas' }, has: isOf('withheld') },
  unobservable: { title: { en: 'Unobservable', 'pt-BR': 'Inobserváveis' }, has: isOf('unobservable') },
} as const satisfies Readonly<
  Record<string, { readonly title: Phrase; readonly has: (clause: ClauseResult) => boolean }>
>;

export type GroupName = keyof typeof groups;

function isOf(verdict: ClauseResult['verdict']): (clause: ClauseResult) => boolean {
  return (clause) => clause.verdict === verdict;
}

/** Clauses of a group, together and by the reasons that they give. */
interface ClauseGroup {
  readonly clauses: readonly ClauseResult[];
  /** The reason with most clauses first. */
  readonly reasons: readonly ReasonGroup[];
}

/** An earlier run that this one is compared with. */
export interface ComparedRun {
  readonly earlier: Earlier;
  readonly isSameTarget: boolean;
  /** Absent where one of the two ended in an error. */
  readonly changes?: Changes;
}

/** What is said of a run as a whole, in one language; what the target sent may stand in it, so escape it. */
export interface ToldRun {
  /** The verdict, in one sentence. */
  readonly verdict: string;
  /** How far the run reached; absent of a part. */
  readonly level?: string;
  /** How sure it is of what passed, a sentence each. */
  readonly sure: readonly string[];
  /** What it left behind; absent where nobody finds it. */
  readonly left?: string;
  /** What went wrong in the suite itself and touched no verdict. */
  readonly defects: readonly string[];
}

/** A run as its reports tell it: secrets hidden, put in groups, compared with what came before. Writers put it into words. */
export interface ReportModel {
  readonly results: Results;
  /** An error came before anything was judged. */
  readonly judgedNothing: boolean;
  readonly told: Readonly<Record<Language, ToldRun>>;
  /** Puts what the suite says in English into a language. */
  readonly say: Readonly<Record<Language, Say>>;
  /** Causes of what does not hold, the heaviest first, with since when each is known. */
  readonly findings: readonly Finding[];
  readonly groups: Readonly<Record<GroupName, ClauseGroup>>;
  readonly topics: readonly TopicSummary[];
  readonly totals: readonly TopicSummary[];
  /** The must clauses that the run counts against. */
  readonly must: readonly ClauseResult[];
  readonly troubles: readonly TroubleCount[];
  /** The runs that were asked the same of the same target, oldest first; this one is the last. */
  readonly series: readonly SeriesRun[];
  /** Since when each clause that does not hold has not held. */
  readonly since: ReadonlyMap<string, Since>;
  readonly baseline: Results | undefined;
  readonly comparison: ComparedRun | undefined;
  /** The checks as tests for CI systems. */
  readonly tests: readonly TestCase[];
  readonly mutants: MutantsRecord | 'unreadable' | undefined;
}

/** What is known besides the results of a run. */
export interface ModelSources {
  /** Earlier runs, in any order; this one may be one of them. */
  readonly history?: readonly HistoryLine[] | undefined;
  /** An earlier run to compare with. */
  readonly baseline?: Results | undefined;
  /** What the last run of the mutants came to; `unreadable` where its record is of another format. */
  readonly mutants?: MutantsRecord | 'unreadable' | undefined;
  /** Puts what the suite says in English into Portuguese; without it that stays as it is. */
  readonly inPortuguese?: Say | undefined;
}

/** The model of a run for its reports; secrets in its results, and in the baseline, are hidden already. */
export function modelOf(safe: Results, known: ModelSources = {}): ReportModel {
  const { history = [], baseline, mutants, inPortuguese = inEnglish.say } = known;
  const series = seriesOf(safe, history);
  const results = withSince(safe, { series, baseline });
  const { clauses, findings = [] } = results;
  const say = { en: inEnglish.say, 'pt-BR': inPortuguese };
  const told = { en: toldIn('en', results, say.en), 'pt-BR': toldIn('pt-BR', results, say['pt-BR']) };
  return {
    results,
    judgedNothing: judgedNothing(results),
    told,
    say,
    findings,
    groups: groupsOf(clauses),
    topics: byTopic(clauses),
    totals: totalsOf(clauses),
    must: mustClauses(clauses),
    troubles: troublesOf(results),
    series,
    since: sinceOf(clauses, series),
    baseline,
    comparison: comparisonOf(results, earlierRun(results, known)),
    tests: testCases(results),
    mutants,
  };
}

/** The same model of results in which the last search has found something that all masks had missed. */
export function withDefects(model: ReportModel, defects: NonNullable<Results['defects']>): ReportModel {
  const toldAnew = (language: Language): ToldRun => ({
    ...model.told[language],
    defects: leakTexts(defects, language),
  });
  const told = { en: toldAnew('en'), 'pt-BR': toldAnew('pt-BR') };
  return { ...model, results: { ...model.results, defects }, told };
}

/** The verdict and how far the run reached. */
export function wholeSentence({ verdict, level }: ToldRun): string {
  return level === undefined ? verdict : `${verdict} ${level}`;
}

function toldIn(language: Language, results: Results, say: Say): ToldRun {
  const { level, error, defects = [] } = results;
  const left = leftLine(results, language);
  const said = error === undefined ? results : { ...results, error: say(error) };
  return {
    verdict: bareVerdictSentence(said, language),
    ...(level === undefined ? {} : { level: levelSentence(level, language) }),
    sure: sureSentences(results, language),
    ...(left === undefined ? {} : { left }),
    defects: leakTexts(defects, language),
  };
}

function groupsOf(clauses: readonly ClauseResult[]): ReportModel['groups'] {
  const groupOf = (name: GroupName): ClauseGroup => {
    const own = clauses.filter(groups[name].has);
    return { clauses: own, reasons: byReason(own) };
  };
  return {
    failures: groupOf('failures'),
    stale: groupOf('stale'),
    warnings: groupOf('warnings'),
    known: groupOf('known'),
    flaky: groupOf('flaky'),
    'not-exercised': groupOf('not-exercised'),
    blocked: groupOf('blocked'),
    withheld: groupOf('withheld'),
    unobservable: groupOf('unobservable'),
  };
}

function sinceOf(clauses: readonly ClauseResult[], series: readonly SeriesRun[]): ReportModel['since'] {
  return new Map(
    clauses.flatMap(({ id }): [string, Since][] => {
      const since = brokenSince(id, series);
      return since ? [[id, since]] : [];
    }),
  );
}

function comparisonOf(results: Results, earlier: Earlier | undefined): ComparedRun | undefined {
  if (earlier === undefined) return undefined;
  const isCompared = results.verdict !== 'error' && earlier.verdict !== 'error';
  return {
    earlier,
    isSameTarget: isSameTarget(earlier, results.target),
    ...(isCompared ? { changes: changesSince(earlier, judgementsOf(results)) } : {}),
  };
}
