import { topicOf } from '../contract/catalogue.ts';
import type { ClauseResult } from '../schemas/results.ts';
import { countVerdicts, type Counts } from './verdicts.ts';

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
export function summaryOf(topic: string, clauses: readonly ClauseResult[]): TopicSummary {
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
