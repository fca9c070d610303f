import type { HistoryLine } from '../../schemas/history.ts';
import type { Finding } from '../../schemas/finding.ts';
import type { Results } from '../../schemas/results.ts';
import { brokenSince, seriesOf, type SeriesRun } from '../series.ts';
import { findingsOf } from './findings.ts';

/** The findings of a run; of results of before there were any, made of their clauses. */
export function findingsIn({ findings, clauses }: Pick<Results, 'findings' | 'clauses'>): readonly Finding[] {
  return findings ?? findingsOf(clauses);
}

/** The results with since when each cause is known: since its first clause has not held, by the runs of before. */
export function withSince(results: Results, history: readonly HistoryLine[]): Results {
  const series = seriesOf(results, history);
  return { ...results, findings: findingsIn(results).map((finding) => dated(finding, series)) };
}

function dated(finding: Finding, series: readonly SeriesRun[]): Finding {
  const since = brokenSince(finding.clauses[0] ?? '', series);
  if (since === undefined) return finding;
  return {
    ...finding,
    since: since.startedAt,
    ...(since.runs === 1 && since.isKnownToHaveHeld ? { isNew: true } : {}),
  };
}
