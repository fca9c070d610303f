import type { ClauseVerdict } from '../../schemas/results.ts';
import type { SeriesRun } from '../history.ts';
import type { ReportModel, ComparedRun } from '../model.ts';
import { runVerdictLooks, verdictLooks, isStale } from '../verdicts.ts';
import { markup, type Markup, type Content } from './markup.ts';
import { said, saidBy, saidFigure, saidPhrase, clauseLink, statementSaid, verdictWord } from './words.ts';
import { utc, type Say } from '../language.ts';
import { changeTitles, isUnchanged, notCompared, type Changes, type NamedCheck } from '../changes.ts';

/** How one run looks in a strip, and in words to who does not see it. */
interface StripLook {
  readonly sign: string;
  /** What it is coloured as. */
  readonly kind: string;
  readonly en: string;
  readonly 'pt-BR': string;
}

const unjudged: StripLook = { sign: '·', kind: 'not-exercised', en: 'not judged', 'pt-BR': 'não julgada' };

const clauseLooks: readonly StripLook[] = verdictLooks
  .filter(({ verdict }) => verdict !== 'unobservable')
  .map(({ verdict, sign, words }) => ({ sign, kind: verdict, ...words }));

/** A run by its verdict. */
function runLook(verdict: SeriesRun['verdict']): StripLook {
  const { sign, words } = runVerdictLooks[verdict];
  return { sign, kind: verdict, en: words.en.toLowerCase(), 'pt-BR': words['pt-BR'].toLowerCase() };
}

/** A run by what a clause came to in it. */
function clauseLook(verdict: ClauseVerdict | undefined): StripLook {
  return clauseLooks.find(({ kind }) => kind === verdict) ?? unjudged;
}

/** Runs that follow each other and look alike. */
interface Stretch {
  readonly look: StripLook;
  readonly runs: number;
}

/** Signs in a row for the eye, and for the ear how many of which follow each other: "29 passed, then 1 failed". */
function stripOf(looks: readonly StripLook[]): Markup {
  const stretches = stretchesOf(looks);
  // Those that are alike share an element, which keeps a page of many strips small.
  const signs = stretches.map(({ look, runs }) => markup`<span class="${look.kind}">${look.sign.repeat(runs)}</span>`);
  return markup`<span class="strip" aria-hidden="true">${signs}</span><span class="unseen">${heard(stretches)}</span>`;
}

/** One run of a strip that leads somewhere. */
interface LinkedCell {
  readonly look: StripLook;
  readonly title: string;
  readonly place: string;
}

/** The same with a link for each run: for a pointer, since the list of the runs has the same for whoever has none. */
function linkedStrip(cells: readonly LinkedCell[]): Markup {
  const links = cells.map(
    ({ look, title, place }) =>
      markup`<a class="${look.kind}" href="#${place}" title="${title}" tabindex="-1">${look.sign}</a>`,
  );
  return markup`<span class="strip linked" aria-hidden="true">${links}</span><span class="unseen">${heard(stretchesOf(cells.map(({ look }) => look)))}</span>`;
}

function stretchesOf(looks: readonly StripLook[]): Stretch[] {
  const starts = [...looks.keys()].filter((index) => looks[index]?.sign !== looks[index - 1]?.sign);
  return starts.flatMap((start, index) => {
    const look = looks[start];
    return look ? [{ look, runs: (starts[index + 1] ?? looks.length) - start }] : [];
  });
}

function heard(stretches: readonly Stretch[]): Markup {
  return saidBy((language) =>
    language === 'en'
      ? stretches.map(({ look, runs }) => `${runs} ${look.en}`).join(', then ')
      : stretches
          .map(({ look, runs }) => `${look[language]} ${runs} ${runs === 1 ? 'vez' : 'vezes'}`)
          .join(', depois '),
  );
}

/** Each sign with its word. */
function stripLegend(): Markup {
  return markup`<ul class="legend">${[...clauseLooks, unjudged].map(
    (look) =>
      markup`<li><span class="${look.kind}" aria-hidden="true">${look.sign}</span> ${said(look.en, look['pt-BR'])}</li>`,
  )}</ul>`;
}

/** Section with a sign for each clause, topic by topic: how much was seen, what broke, and what that blocked. */
export function mapSection({ results: { clauses }, topics, groups }: ReportModel): Markup {
  const isBlocked = groups.blocked.clauses.length > 0;
  return markup`<section id="map" aria-labelledby="map-heading">
<h2 id="map-heading">${said('Every clause at a glance', 'Todas as cláusulas de relance')}: ${saidFigure(clauses.length)}</h2>
<dl class="map">${topics.map(
    ({ topic, clauses: own }) =>
      markup`<div><dt><a href="#topic-${topic}">${topic}</a></dt><dd>${stripOf(own.map(({ verdict }) => clauseLook(verdict)))}</dd></div>
`,
  )}</dl>
${isBlocked ? markup`<p class="note"><span class="blocked" aria-hidden="true">${clauseLook('blocked').sign}</span> ${said('blocked: what it stands on is broken', 'bloqueada: aquilo em que se apoia está quebrado')}</p>` : undefined}
</section>`;
}

/** Runs that the strips show. */
const mostRuns = 30;

/** Section with the last runs like this one: a strip of verdicts for every clause that changed. */
export function historySection({ results, series: whole }: ReportModel): Markup | undefined {
  if (whole.length < 2) return undefined;
  const series = whole.slice(-mostRuns);
  const ids = results.clauses.filter(({ verdict }) => verdict !== 'unobservable').map(({ id }) => id);
  const changing = ids.filter((id) => !isSteady(id, series));
  const steady = ids.length - changing.length;
  return markup`<section id="history" aria-labelledby="history-heading">
<h2 id="history-heading">${said(`The last ${series.length} runs`, `As últimas ${series.length} execuções`)}</h2>
<p class="note">${said('Oldest first; this run is the last.', 'A mais antiga primeiro; esta execução é a última.')}</p>
${stripLegend()}
<div class="wide" role="group" aria-labelledby="history-heading" tabindex="0"><table class="strips">
<thead><tr><th scope="col">${said('run', 'execução')}</th><th scope="col">${stripOf(series.map(({ verdict }) => runLook(verdict)))}</th></tr></thead>
<tbody>${changing.map((id) => linkedRow(id, series))}</tbody>
</table></div>
<p>${said('Clauses that came to the same each time', 'Cláusulas com o mesmo veredito todas as vezes')}: ${saidFigure(steady)}</p>
${runsDetails(series)}
</section>`;
}

function isSteady(id: string, series: readonly SeriesRun[]): boolean {
  return new Set(series.filter(({ verdict }) => verdict !== 'error').map(({ verdicts }) => verdicts.get(id))).size <= 1;
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

function runsDetails(series: readonly SeriesRun[]): Markup {
  return markup`<details><summary>${said('The runs one by one, clauses of every level counted', 'As execuções uma a uma, contando cláusulas de todos os níveis')}</summary>
<div class="wide" role="group" aria-labelledby="history-heading" tabindex="0"><table class="runs">
<thead><tr><th scope="col">${said('started', 'início')}</th><th scope="col">${said('verdict', 'veredito')}</th><th scope="col">${said('complete', 'completo')}</th><th scope="col">${said('failed', 'falharam')}</th><th scope="col">${said('not exercised', 'não exercitadas')}</th><th scope="col">${said('suite', 'suíte')}</th><th scope="col">${said('seed', 'semente')}</th></tr></thead>
<tbody>${series.toReversed().map(runRow)}</tbody></table></div></details>`;
}

function runRow({ startedAt, verdict, counts, level, suite, seed }: SeriesRun): Markup {
  const { sign, words } = runVerdictLooks[verdict];
  return markup`<tr id="${placeOfRun(startedAt)}"><th scope="row">${utc(startedAt)}</th><td><span class="verdict ${verdict}"><span aria-hidden="true">${sign}</span> ${saidPhrase(words)}</span></td><td>${level?.complete ?? '–'}</td><td>${saidFigure(counts.failed)}</td><td>${saidFigure(counts.notExercised)}</td><td>${suite}</td><td>${seed}</td></tr>
`;
}

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

function changes({ changes: found }: ComparedRun, { results, say }: ReportModel): Markup {
  if (!found) return markup`<p>${saidPhrase(notCompared[results.verdict === 'error' ? 'this' : 'that'])}</p>`;
  if (isUnchanged(found)) {
    return markup`<p>${said(
      'Nothing: every clause that both runs judged came to the same.',
      'Nada: cada cláusula julgada nas duas execuções deu no mesmo.',
    )}</p>`;
  }
  const verdicts = new Map(results.clauses.map((clause) => [clause.id, clause.verdict]));
  const clauses = (ids: readonly string[]): Markup[] => ids.map((id) => clauseItem(id, verdicts.get(id)));
  const checks = found.stoppedChecks.map((check) => checkItem(check, say['pt-BR']));
  return markup`<dl class="changes">${[
    change('newlyFailed', clauses(found.newlyFailed)),
    change('brokenOtherwise', clauses(found.brokenOtherwise)),
    change('fixed', clauses(found.fixed)),
    change('stoppedRunning', [...clauses(found.stoppedRunning), ...checks]),
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

function checkItem({ clause, name }: NamedCheck, inPortuguese: Say): Markup {
  return markup`<li>${clauseLink(clause)}: ${statementSaid(name, inPortuguese)}</li>`;
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
