import { levels } from '../../contract/clause.ts';
import type { Results } from '../../schemas/results.ts';
import { compareWithBaseline } from '../baseline.ts';
import { utc } from '../figures.ts';
import { summaryOf, type TopicSummary } from '../grouping.ts';
import { verdictLooks } from '../verdicts.ts';
import { markup, type Markup } from './markup.ts';
import { clauseLink, verdictWord } from './words.ts';

/** Section with a table of how many clauses came to which verdict, by level. */
export function countsSection(results: Results): Markup {
  const rows = levels.map((level) =>
    summaryOf(
      level,
      results.clauses.filter((clause) => clause.level === level),
    ),
  );
  const shown = [...rows.filter((row) => row.clauses.length > 0), summaryOf('all', results.clauses)];
  return markup`<section id="counts" aria-labelledby="counts-heading">
<h2 id="counts-heading">Clauses by verdict</h2>
<div class="wide" role="region" aria-labelledby="counts-heading" tabindex="0">${countsTable('level', shown)}</div>
</section>`;
}

/** Table of verdict counts, one row a summary; `of` says what the rows are. */
export function countsTable(of: string, rows: readonly TopicSummary[], anchor?: (name: string) => string): Markup {
  return markup`<table class="counts">
<thead><tr><th scope="col">${of}</th>${verdictLooks.map((look) => markup`<th scope="col">${verdictWord(look.verdict)}</th>`)}<th scope="col">clauses</th></tr></thead>
<tbody>${rows.map((row) => countsRow(row, anchor))}</tbody>
</table>`;
}

function countsRow(row: TopicSummary, anchor: ((name: string) => string) | undefined): Markup {
  const name = anchor ? markup`<a href="#${anchor(row.topic)}">${row.topic}</a>` : row.topic;
  const cells = verdictLooks.map((look) => countCell(row.counts[look.count], look.verdict));
  return markup`<tr><th scope="row">${name}</th>${cells}<td>${row.clauses.length}</td></tr>
`;
}

function countCell(count: number, verdict: string): Markup {
  return count === 0 ? markup`<td class="zero">0</td>` : markup`<td class="${verdict}">${count}</td>`;
}

/** Section with what is different from an earlier run. */
export function changesSection(baseline: Results, results: Results): Markup {
  return markup`<section id="changes" aria-labelledby="changes-heading">
<h2 id="changes-heading">What changed</h2>
<p class="note">Compared with the run of ${utc(baseline.startedAt)} on ${baseline.target.baseUrl} (seed ${baseline.seed}).</p>
${changes(baseline, results)}
</section>`;
}

function changes(baseline: Results, results: Results): Markup {
  if (results.verdict === 'error') return markup`<p>This run judged nothing, so there is nothing to compare.</p>`;
  if (baseline.verdict === 'error') return markup`<p>That run judged nothing, so there is nothing to compare with.</p>`;
  const { newlyFailed, fixed, stoppedRunning, startedRunning } = compareWithBaseline(baseline, results);
  const isSame = [newlyFailed, fixed, stoppedRunning, startedRunning].every((ids) => ids.length === 0);
  if (isSame) return markup`<p>Nothing: every clause that both runs judged came to the same.</p>`;
  return markup`<dl class="changes">${[
    change('Newly failed', newlyFailed, results),
    change('Fixed', fixed, results),
    change('Stopped running', stoppedRunning, results),
    change('Started running', startedRunning, results),
  ]}</dl>`;
}

function change(title: string, ids: readonly string[], results: Results): Markup {
  const verdicts = new Map(results.clauses.map((clause) => [clause.id, clause.verdict]));
  const item = (id: string): Markup => {
    const verdict = verdicts.get(id);
    return verdict === undefined
      ? markup`<li><code>${id}</code> is no longer in the catalogue</li>`
      : markup`<li>${clauseLink(id)} ${verdictWord(verdict)}</li>`;
  };
  const body = ids.length === 0 ? markup`none` : markup`<ul>${ids.map(item)}</ul>`;
  return markup`<div><dt>${title}: ${ids.length}</dt><dd>${body}</dd></div>
`;
}
