import type { ClauseResult, Results } from '../../schemas/results.ts';
import type { Finding } from '../../schemas/finding.ts';
import { figure, utc } from '../figures.ts';
import type { Language, Speech } from '../language.ts';
import { verdictLooks } from '../verdicts.ts';
import { longestShown, statementOf } from './statement.ts';

/** A finding as it is told in a list: how heavy it is, the section and the clause that names it, what the target does, how far it reaches, since when. */
export function findingLine(finding: Finding, { clauses }: Pick<Results, 'clauses'>, speech: Speech): string {
  const [id = ''] = finding.clauses;
  const section = clauses.find((clause) => clause.id === id)?.section ?? '';
  const statement = findingStatement(finding, speech);
  const reach = reachText(finding, speech.language);
  return `${lookOf(finding, clauses).sign} ${section}  ${id}: ${statement} (${reach})`;
}

/** What the target does, in the language of the reader. */
export function findingStatement(finding: Finding, speech: Speech): string {
  return finding.facts === undefined ? finding.summary : statementOf(finding, speech, longestShown);
}

/** How heavy a finding is: as its heaviest clause. */
export function lookOf({ clauses: ids }: Finding, clauses: readonly ClauseResult[]): (typeof verdictLooks)[number] {
  const own = new Set(clauses.filter(({ id }) => ids.includes(id)).map(({ verdict }) => verdict));
  const heaviest = (['failed', 'warned', 'known'] as const).find((verdict) => own.has(verdict)) ?? 'failed';
  return verdictLooks.find(({ verdict }) => verdict === heaviest) ?? verdictLooks[1];
}

/** How many clauses a finding breaks and blocks, and since when. */
export function reachText({ clauses, blocked, since, isNew }: Finding, language: Language): string {
  const words = reachWords[language];
  return [
    words.broken(clauses.length),
    ...(blocked.length === 0 ? [] : [words.blocked(blocked.length)]),
    ...(since === undefined ? [] : isNew ? [words.isNew] : [words.since(utc(since))]),
  ].join(', ');
}

interface ReachWords {
  readonly broken: (count: number) => string;
  readonly blocked: (count: number) => string;
  readonly isNew: string;
  readonly since: (time: string) => string;
}

const reachWords: Readonly<Record<Language, ReachWords>> = {
  en: {
    broken: (count) => `breaks ${count === 1 ? '1 clause' : `${figure(count)} clauses`}`,
    blocked: (count) => `blocks ${figure(count)}`,
    isNew: 'new since the last run',
    since: (time) => `since ${time}`,
  },
  'pt-BR': {
    broken: (count) => `quebra ${count === 1 ? '1 cláusula' : `${figure(count, 'pt-BR')} cláusulas`}`,
    blocked: (count) => `bloqueia ${figure(count, 'pt-BR')}`,
    isNew: 'nova desde a última execução',
    since: (time) => `desde ${time}`,
  },
};
