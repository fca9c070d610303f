import type { ClauseVerdict, Results } from '../../schemas/results.ts';
import { utc } from '../figures.ts';
import { brokenSince, type SeriesRun } from '../series.ts';
import { isStale } from '../stale.ts';
import type { Markup } from './markup.ts';
import { said } from './said.ts';

/** Since when a clause that does not hold has not held, by the runs before this one, the last of the series; where none judged it, by a baseline. */
export function sinceText(id: string, series: readonly SeriesRun[], baseline?: Results): Markup {
  const since = brokenSince(id, series);
  if (since === undefined || (since.runs === 1 && !since.isKnownToHaveHeld)) return sinceBaseline(id, series, baseline);
  if (since.runs === 1) return said('new in this run', 'nova nesta execução');
  const time = utc(since.startedAt);
  return since.isKnownToHaveHeld
    ? said(`since ${time}, ${since.runs} runs`, `desde ${time}, ${since.runs} execuções`)
    : said(`in every run known, since ${time}`, `em toda execução conhecida, desde ${time}`);
}

function sinceBaseline(id: string, series: readonly SeriesRun[], baseline: Results | undefined): Markup {
  if (baseline) {
    const judged = baseline.clauses.find((clause) => clause.id === id);
    return baselineText(judged && isStale(judged) ? 'passed' : judged?.verdict, utc(baseline.startedAt));
  }
  return series.length < 2
    ? said('no earlier run known', 'sem execução anterior conhecida')
    : said('no earlier run known judged it', 'nenhuma execução anterior conhecida a julgou');
}

function baselineText(verdict: ClauseVerdict | undefined, time: string): Markup {
  switch (verdict) {
    case 'passed':
      return said(`new since the baseline of ${time}`, `nova desde a execução de referência de ${time}`);
    case 'failed':
    case 'warned':
    case 'known':
      return said(`already failed in the baseline of ${time}`, `já falhava na execução de referência de ${time}`);
    case 'not-exercised':
    case 'blocked':
    case 'withheld':
    case 'unobservable':
    case undefined:
      return said(`not judged in the baseline of ${time}`, `não julgada na execução de referência de ${time}`);
  }
}
