import type { ClauseResult, ClauseVerdict, Results, RunVerdict } from '../schemas/results.ts';
import { counted, type Language, type Phrase } from './language.ts';
import { topicOf } from '../contract/catalogue.ts';
import type { Clause } from '../contract/clause.ts';

/** How many clauses came to each verdict. */
type Counts = Required<Results['counts']>;

/** A clause verdict as reports show it: in a word and a sign, never by colour alone. */
interface VerdictLook {
  readonly verdict: ClauseVerdict;
  readonly count: keyof Counts;
  readonly words: Phrase;
  readonly sign: string;
}

/** The clause verdicts in the order of every table. */
export const verdictLooks = [
  { verdict: 'passed', count: 'passed', words: { en: 'passed', 'pt-BR': 'passou' }, sign: '✓' },
  { verdict: 'failed', count: 'failed', words: { en: 'failed', 'pt-BR': 'falhou' }, sign: '✗' },
  { verdict: 'known', count: 'known', words: { en: 'known', 'pt-BR': 'conhecida' }, sign: '◇' },
  { verdict: 'warned', count: 'warned', words: { en: 'warned', 'pt-BR': 'com aviso' }, sign: '!' },
  {
    verdict: 'not-exercised',
    count: 'notExercised',
    words: { en: 'not exercised', 'pt-BR': 'não exercitada' },
    sign: '○',
  },
  { verdict: 'blocked', count: 'blocked', words: { en: 'blocked', 'pt-BR': 'bloqueada' }, sign: '◌' },
  { verdict: 'withheld', count: 'withheld', words: { en: 'withheld', 'pt-BR': 'retida' }, sign: '⊘' },
  { verdict: 'unobservable', count: 'unobservable', words: { en: 'unobservable', 'pt-BR': 'inobservável' }, sign: '–' },
] as const satisfies readonly VerdictLook[];

/** The run verdicts as reports show them. */
export const runVerdictLooks: Readonly<Record<RunVerdict, Pick<VerdictLook, 'words' | 'sign'>>> = {
  conformant: { words: { en: 'Conformant', 'pt-BR': 'Conforme' }, sign: '✓' },
  incomplete: { words: { en: 'Incomplete', 'pt-BR': 'Incompleto' }, sign: '○' },
  nonconformant: { words: { en: 'Nonconformant', 'pt-BR': 'Não conforme' }, sign: '✗' },
  error: { words: { en: 'Error', 'pt-BR': 'Erro' }, sign: '!' },
};

/** Counts clauses by verdict. */
export function countVerdicts(clauses: readonly ClauseResult[]): Counts {
  const [judged, others] = [
    { passed: 0, failed: 0, known: 0, warned: 0 },
    { notExercised: 0, blocked: 0, withheld: 0, unobservable: 0 },
  ];
  const counts: Counts = { ...judged, ...others };
  for (const { verdict } of clauses) {
    for (const look of verdictLooks) if (look.verdict === verdict) counts[look.count] += 1;
  }
  return counts;
}

/** Whether a run ended in an error before it judged anything. */
export function judgedNothing({ verdict, clauses }: Pick<Results, 'verdict' | 'clauses'>): boolean {
  return verdict === 'error' && clauses.length === 0;
}

/** Whether a clause of that verdict was exercised; `undefined` is of a run that did not have it. */
export function isExercised(verdict: ClauseVerdict | undefined): boolean {
  return verdict !== undefined && !['not-exercised', 'blocked', 'withheld', 'unobservable'].includes(verdict);
}

/** The clauses that came to a verdict, in the order of the run. */
export function clausesOf(results: Results, verdict: ClauseVerdict): ClauseResult[] {
  return results.clauses.filter((clause) => clause.verdict === verdict);
}

/** A clause that only the list of known deviations fails, since an entry names what holds, or has run out. */
export function isStale(clause: ClauseResult): boolean {
  return clause.verdict === 'failed' && clause.checks.every((check) => check.state !== 'failed' || check.covered);
}

/** A failed clause of which a check failed in a way that the list does not cover. */
export function isBroken(clause: ClauseResult): boolean {
  return clause.verdict === 'failed' && !isStale(clause);
}

/** A clause of which a check came to several outcomes when it was repeated, and to none in the end that fails it. */
export function isFlaky({ checks }: ClauseResult): boolean {
  return checks.some((check) => check.flaky !== undefined && check.state !== 'failed');
}

/**
 * The must clauses that a run against a target judges, which every report counts against: without what no run can see and
 * what was withheld from this one.
 */
export function mustClauses(clauses: readonly ClauseResult[]): ClauseResult[] {
  return clauses.filter(
    ({ level, verdict }) => level === 'must' && verdict !== 'unobservable' && verdict !== 'withheld',
  );
}

/** How many clauses of every level, the must clauses by themselves: "30 must clauses, 4 other clauses". */
export function clausesText(clauses: readonly ClauseResult[], language: Language = 'en'): string {
  const must = clauses.filter(({ level }) => level === 'must').length;
  const others = clauses.length - must;
  const words = clauseWords[language];
  return [
    ...(must > 0 || others === 0 ? [counted(must, words.must[0], words.must[1], language)] : []),
    ...(others > 0 ? [counted(others, words.other[0], words.other[1], language)] : []),
  ].join(', ');
}

const clauseWords = {
  en: { must: ['must clause', 'must clauses'], other: ['other clause', 'other clauses'] },
  'pt-BR': {
    must: ['cláusula obrigatória', 'cláusulas obrigatórias'],
    other: ['outra cláusula', 'outras cláusulas'],
  },
} as const satisfies Record<Language, object>;

/** The clauses of one topic and what they add up to. */
export interface TopicSummary {
  readonly topic: string;
  readonly clauses: readonly ClauseResult[];
  readonly counts: Counts;
  readonly checks: number;
  readonly cases: number;
}

/** The topics of a run in the order in which they first appear. */
export function byTopic(clauses: readonly ClauseResult[]): TopicSummary[] {
  return [...Map.groupBy(clauses, (clause) => topicOf(clause.id))].map(([topic, own]) => summaryOf(topic, own));
}

/** What clauses add up to, under a name of their own. */
function summaryOf(topic: string, clauses: readonly ClauseResult[]): TopicSummary {
  const checks = clauses.flatMap((clause) => clause.checks);
  return {
    topic,
    clauses,
    counts: countVerdicts(clauses),
    checks: checks.length,
    cases: checks.reduce((sum, check) => sum + check.cases, 0),
  };
}

/** What the clauses of a run add up to: the must clauses, and those of every level. */
export function totalsOf(clauses: readonly ClauseResult[]): TopicSummary[] {
  const must = clauses.filter(({ level }) => level === 'must');
  return [summaryOf('must clauses', must), summaryOf('every level', clauses)];
}

/** Clauses that share a reason. */
export interface ReasonGroup {
  readonly reason: string;
  readonly clauses: readonly ClauseResult[];
}

/** Groups clauses by their reason, the reason with most of them first. */
export function byReason(clauses: readonly ClauseResult[]): ReasonGroup[] {
  return [...Map.groupBy(clauses, (clause) => clause.reason ?? 'no reason was given')]
    .map(([reason, own]) => ({ reason, clauses: own }))
    .sort((a, b) => b.clauses.length - a.clauses.length);
}

/** How binding a clause is, in words. */
export const levelPhrases: Readonly<Record<Clause['level'], Phrase>> = {
  must: { en: 'must', 'pt-BR': 'obrigatória' },
  should: { en: 'should', 'pt-BR': 'recomendada' },
  implied: { en: 'implied', 'pt-BR': 'implícita' },
};
