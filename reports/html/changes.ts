import type { ClauseVerdict } from '../../schemas/results.ts';
import { changeTitles, isUnchanged, notCompared, type Changes, type NamedCheck } from '../changes.ts';
import { utc } from '../language.ts';
import type { ComparedRun, ReportModel } from '../model.ts';
import { markup, type Content, type Markup } from './markup.ts';
import { said, saidFigure, saidPhrase, clauseLink, verdictWord } from './words.ts';
import { isStale } from '../verdicts.ts';

/** Section with what is different from an earlier run, and the known deviations that are stale; or that no such run is known. */
export function changesSection(model: ReportModel): Markup {
  const { comparison } = model;
  return markup`<section id="changes" aria-labelledby="changes-heading">
<h2 id="changes-heading">${said('What changed', 'O que mudou')}</h2>
${comparison ? [comparedWith(comparison, model), changes(comparison, model)] : nothingKnown()}
</section>`;
}

function nothingKnown(): Markup {
  return markup`<p>${said(
    'No earlier run of the same on this target is known.',
    'Não há execução anterior do mesmo escopo neste serviço.',
  )}</p>`;
}

function comparedWith({ earlier, isSameTarget }: ComparedRun, { results: { target } }: ReportModel): Markup {
  const { startedAt, baseUrl, kind, seed } = earlier;
  return markup`<p class="note">${said('Compared with the run of', 'Comparado com a execução de')} ${utc(startedAt)}, ${baseUrl}, ${said('seed', 'semente')} ${String(seed)}.</p>
${isSameTarget ? undefined : otherTarget(`${kind}, ${baseUrl}`, `${target.kind}, ${target.baseUrl}`)}`;
}

function otherTarget(before: string, now: string): Markup {
  return markup`<p><strong>${said('That run tested another target:', 'Aquela execução testou outro serviço:')}</strong> ${before}; ${said('this one', 'esta')}: ${now}.</p>
`;
}

function changes({ changes: found }: ComparedRun, { results }: ReportModel): Markup {
  if (!found) return markup`<p>${saidPhrase(notCompared[results.verdict === 'error' ? 'this' : 'that'])}</p>`;
  if (isUnchanged(found)) {
    return markup`<p>${said(
      'Nothing: every clause that both runs judged came to the same.',
      'Nada: cada cláusula julgada nas duas execuções deu no mesmo.',
    )}</p>`;
  }
  const verdicts = new Map(results.clauses.map((clause) => [clause.id, clause.verdict]));
  const clauses = (ids: readonly string[]): Markup[] => ids.map((id) => clauseItem(id, verdicts.get(id)));
  return markup`<dl class="changes">${[
    change('newlyFailed', clauses(found.newlyFailed)),
    change('brokenOtherwise', clauses(found.brokenOtherwise)),
    change('fixed', clauses(found.fixed)),
    change('stoppedRunning', [...clauses(found.stoppedRunning), ...found.stoppedChecks.map(checkItem)]),
    change('startedRunning', clauses(found.startedRunning)),
    change('stale', clauses(found.stale)),
  ]}</dl>`;
}

/** Items beyond this many are folded: after a change of settings every clause may have started running. */
const longestOpenList = 12;

function change(name: keyof Changes, items: readonly Content[]): Markup {
  const list = markup`<ul>${items}</ul>`;
  const body =
    items.length === 0
      ? said('none', 'nenhuma')
      : items.length <= longestOpenList
        ? list
        : markup`<details><summary>${said('show them', 'mostrar')}</summary>${list}</details>`;
  return markup`<div class="${items.length === 0 ? 'none' : 'some'}"><dt>${saidPhrase(changeTitles[name])}: ${saidFigure(items.length)}</dt><dd>${body}</dd></div>
`;
}

function clauseItem(id: string, verdict: ClauseVerdict | undefined): Markup {
  return verdict === undefined
    ? markup`<li><code>${id}</code> ${said('is no longer in the catalogue', 'não está mais no catálogo')}</li>`
    : markup`<li>${clauseLink(id)} ${verdictWord(verdict)}</li>`;
}

function checkItem({ clause, name }: NamedCheck): Markup {
  return markup`<li>${clauseLink(clause)}: ${name}</li>`;
}

/** Since when a clause that does not hold has not held, by the runs before this one; where none judged it, by a baseline. */
export function sinceText(id: string, model: ReportModel): Markup {
  const since = model.since.get(id);
  if (since === undefined || (since.runs === 1 && !since.isKnownToHaveHeld)) return sinceBaseline(id, model);
  if (since.runs === 1) return said('new in this run', 'nova nesta execução');
  const time = utc(since.startedAt);
  return since.isKnownToHaveHeld
    ? said(`since ${time}, ${since.runs} runs`, `desde ${time}, ${since.runs} execuções`)
    : said(`in every run known, since ${time}`, `em toda execução conhecida, desde ${time}`);
}

function sinceBaseline(id: string, { baseline, series }: ReportModel): Markup {
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
