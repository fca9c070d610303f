import { levels } from '../../contract/clause.ts';
import type { Results } from '../../schemas/results.ts';
import { summaryOf, type TopicSummary } from '../grouping.ts';
import { verdictLooks } from '../verdicts.ts';
import { markup, type Markup } from './markup.ts';
import { said, saidFigure } from './said.ts';
import { levelWord, verdictWord } from './words.ts';

/** Table of how many clauses came to which verdict: one row a level, and one for all. */
export function levelTable(results: Results): Markup {
  const rows = levels
    .map((level) =>
      summaryOf(
        level,
        results.clauses.filter((clause) => clause.level === level),
      ),
    )
    .filter((row) => row.clauses.length > 0);
  const levelOf = (name: string): Markup =>
    levels.filter((level) => level === name).map(levelWord)[0] ?? markup`${name}`;
  const all = summaryOf('all', results.clauses);
  return countsTable(said('level', 'nível'), [
    ...rows.map((row) => countsRow(levelOf(row.topic), row)),
    countsRow(said('all', 'todas'), all),
  ]);
}

/** Table of the same, one row a topic, each a link to the topic. */
export function topicCounts(topics: readonly TopicSummary[], anchorOf: (topic: string) => string): Markup {
  const link = (topic: string): Markup => markup`<a href="#${anchorOf(topic)}">${topic}</a>`;
  return countsTable(
    said('topic', 'tópico'),
    topics.map((row) => countsRow(link(row.topic), row)),
  );
}

function countsTable(of: Markup, rows: readonly Markup[]): Markup {
  return markup`<table class="counts">
<thead><tr><th scope="col">${of}</th>${verdictLooks.map((look) => markup`<th scope="col">${verdictWord(look.verdict)}</th>`)}<th scope="col">${said('clauses', 'cláusulas')}</th></tr></thead>
<tbody>${rows}</tbody>
</table>`;
}

function countsRow(name: Markup, row: TopicSummary): Markup {
  const cells = verdictLooks.map(({ count, verdict }) => countCell(row.counts[count], verdict));
  return markup`<tr><th scope="row">${name}</th>${cells}<td>${saidFigure(row.clauses.length)}</td></tr>
`;
}

function countCell(count: number, verdict: string): Markup {
  return count === 0 ? markup`<td class="zero">0</td>` : markup`<td class="${verdict}">${saidFigure(count)}</td>`;
}
