import type { HistoryLine } from '../../schemas/stored.ts';
import type { Finding } from '../../schemas/finding.ts';
import type { Results } from '../../schemas/results.ts';
import { brokenSince, seriesOf, type SeriesRun } from '../series.ts';
import { clausesOf } from '../verdicts.ts';
import { findingsOf } from './findings.ts';

/** The findings of a run; of results of before there were any, made of their clauses. */
export function findingsIn({ findings, clauses }: Pick<Results, 'findings' | 'clauses'>): readonly Finding[] {
  return findings ?? findingsOf(clauses);
}

/** What came before a run: earlier runs, and one that it is to be compared with. */
interface Before {
  readonly history: readonly HistoryLine[];
  readonly baseline?: Results;
}

/** The results with since when each cause is known: since its first clause has not held, by the runs of before. */
export function withSince(results: Results, { history, baseline }: Before): Results {
  const series = seriesOf(results, history);
  const heldInBaseline = new Set(baseline ? clausesOf(baseline, 'passed').map(({ id }) => id) : []);
  return { ...results, findings: findingsIn(results).map((finding) => dated(finding, series, heldInBaseline)) };
}

function dated(finding: Finding, series: readonly SeriesRun[], heldInBaseline: ReadonlySet<string>): Finding {
  const [id = ''] = finding.clauses;
  const since = brokenSince(id, series);
  if (since === undefined) return finding;
  const isNew = since.runs === 1 && (since.isKnownToHaveHeld || heldInBaseline.has(id));
  // The only run that is known says nothing of since when.
  if (since.runs === 1 && !isNew) return finding;
  return { ...finding, since: since.startedAt, ...(isNew ? { isNew } : {}) };
}
