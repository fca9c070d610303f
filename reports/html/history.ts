import type { Results } from '../../schemas/results.ts';
import { utc } from '../figures.ts';
import type { SeriesRun } from '../series.ts';
import { runVerdictLooks } from '../verdicts.ts';
import { markup, type Markup } from './markup.ts';
import { said, saidFigure } from './said.ts';
import { clauseLook, linkedStrip, runLook, stripLegend, stripOf } from './strip.ts';
import { clauseLink } from './words.ts';

/** Runs that the strips show. */
const mostRuns = 30;

/** Section with the last runs like this one: a strip of verdicts for every clause, those that changed first. */
export function historySection(results: Results, whole: readonly SeriesRun[]): Markup | undefined {
  if (whole.length < 2) return undefined;
  const series = whole.slice(-mostRuns);
  const ids = results.clauses.filter(({ verdict }) => verdict !== 'unobservable').map(({ id }) => id);
  const changing = ids.filter((id) => !isSteady(id, series));
  const steady = ids.filter((id) => isSteady(id, series));
  return markup`<section id="history" aria-labelledby="history-heading">
<h2 id="history-heading">${said(`The last ${series.length} runs`, `As últimas ${series.length} execuções`)}</h2>
<p class="note">${said('Oldest first; this run is the last.', 'A mais antiga primeiro; esta execução é a última.')}</p>
${stripLegend()}
<div class="wide" role="group" aria-labelledby="history-heading" tabindex="0"><table class="strips">
<thead><tr><th scope="col">${said('run', 'execução')}</th><th scope="col">${stripOf(series.map(({ verdict }) => runLook(verdict)))}</th></tr></thead>
<tbody>${changing.map((id) => linkedRow(id, series))}</tbody>
</table></div>
${changing.length === 0 ? markup`<p>${said('No clause came to another verdict in them.', 'Nenhuma cláusula mudou de veredito nelas.')}</p>` : undefined}
${runsDetails(series)}
${steadyDetails(steady, series)}
</section>`;
}

function isSteady(id: string, series: readonly SeriesRun[]): boolean {
  return new Set(series.filter(({ verdict }) => verdict !== 'error').map(({ verdicts }) => verdicts.get(id))).size <= 1;
}

function stripRow(id: string, series: readonly SeriesRun[]): Markup {
  return markup`<tr><th scope="row">${clauseLink(id)}</th><td>${stripOf(series.map(({ verdicts }) => clauseLook(verdicts.get(id))))}</td></tr>
`;
}

/** A row in which each run has its date, and leads to what is told of it. */
function linkedRow(id: string, series: readonly SeriesRun[]): Markup {
  const cells = series.map(({ startedAt, verdicts }) => ({
    look: clauseLook(verdicts.get(id)),
    title: utc(startedAt),
    place: placeOfRun(startedAt),
  }));
  return markup`<tr><th scope="row">${clauseLink(id)}</th><td>${linkedStrip(cells)}</td></tr>
`;
}

function placeOfRun(startedAt: string): string {
  return `run-${startedAt.replaceAll(/[^\w]+/g, '-')}`;
}

function steadyDetails(ids: readonly string[], series: readonly SeriesRun[]): Markup | undefined {
  if (ids.length === 0) return undefined;
  return markup`<details><summary>${said('Clauses that came to the same each time', 'Cláusulas com o mesmo veredito todas as vezes')}: ${saidFigure(ids.length)}</summary>
<div class="wide" role="group" aria-labelledby="history-heading" tabindex="0"><table class="strips">
<thead><tr><th scope="col">${said('clause', 'cláusula')}</th><th scope="col">${said('runs', 'execuções')}</th></tr></thead>
<tbody>${ids.map((id) => stripRow(id, series))}</tbody></table></div></details>`;
}

function runsDetails(series: readonly SeriesRun[]): Markup {
  return markup`<details><summary>${said('The runs one by one, clauses of every level counted', 'As execuções uma a uma, contando cláusulas de todos os níveis')}</summary>
<div class="wide" role="group" aria-labelledby="history-heading" tabindex="0"><table class="runs">
<thead><tr><th scope="col">${said('started', 'início')}</th><th scope="col">${said('verdict', 'veredito')}</th><th scope="col">${said('complete', 'completo')}</th><th scope="col">${said('failed', 'falharam')}</th><th scope="col">${said('not exercised', 'não exercitadas')}</th><th scope="col">${said('suite', 'suíte')}</th><th scope="col">${said('seed', 'semente')}</th></tr></thead>
<tbody>${series.toReversed().map(runRow)}</tbody></table></div></details>`;
}

function runRow({ startedAt, verdict, counts, level, suite, seed }: SeriesRun): Markup {
  const { sign, word, portuguese } = runVerdictLooks[verdict];
  return markup`<tr id="${placeOfRun(startedAt)}"><th scope="row">${utc(startedAt)}</th><td><span class="verdict ${verdict}"><span aria-hidden="true">${sign}</span> ${said(word, portuguese)}</span></td><td>${level?.complete ?? '–'}</td><td>${saidFigure(counts.failed)}</td><td>${saidFigure(counts.notExercised)}</td><td>${suite}</td><td>${seed}</td></tr>
`;
}
