import type { ClauseResult, ClauseVerdict, Results, RunVerdict } from '../schemas/results.ts';

/** How many clauses came to each verdict. */
export type Counts = Required<Results['counts']>;

/** A clause verdict as reports show it: in a word and a sign, never by colour alone. */
interface VerdictLook {
  readonly verdict: ClauseVerdict;
  readonly count: keyof Counts;
  readonly word: string;
  /** The word in Brazilian Portuguese. */
  readonly portuguese: string;
  readonly sign: string;
}

/** The clause verdicts in the order of every table. */
export const verdictLooks = [
  { verdict: 'passed', count: 'passed', word: 'passed', portuguese: 'passou', sign: '✓' },
  { verdict: 'failed', count: 'failed', word: 'failed', portuguese: 'falhou', sign: '✗' },
  { verdict: 'known', count: 'known', word: 'known', portuguese: 'conhecida', sign: '◇' },
  { verdict: 'warned', count: 'warned', word: 'warned', portuguese: 'com aviso', sign: '!' },
  { verdict: 'not-exercised', count: 'notExercised', word: 'not exercised', portuguese: 'não exercitada', sign: '○' },
  { verdict: 'blocked', count: 'blocked', word: 'blocked', portuguese: 'bloqueada', sign: '◌' },
  { verdict: 'withheld', count: 'withheld', word: 'withheld', portuguese: 'retida', sign: '⊘' },
  { verdict: 'unobservable', count: 'unobservable', word: 'unobservable', portuguese: 'inobservável', sign: '–' },
] as const satisfies readonly VerdictLook[];

/** A run verdict as reports show it. */
interface RunVerdictLook {
  readonly word: string;
  readonly portuguese: string;
  readonly sign: string;
}

/** The run verdicts as reports show them. */
export const runVerdictLooks: Readonly<Record<RunVerdict, RunVerdictLook>> = {
  conformant: { word: 'Conformant', portuguese: 'Conforme', sign: '✓' },
  incomplete: { word: 'Incomplete', portuguese: 'Incompleto', sign: '○' },
  nonconformant: { word: 'Nonconformant', portuguese: 'Não conforme', sign: '✗' },
  error: { word: 'Error', portuguese: 'Erro', sign: '!' },
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
