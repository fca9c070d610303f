import type { CheckResult, ClauseResult, Results } from '../../schemas/results.ts';
import { duration, figure } from '../figures.ts';
import { byTopic, type TopicSummary } from '../grouping.ts';
import { markup, type Markup } from './markup.ts';
import { countsTable } from './overview.ts';
import { flakyNote, statementText, verdictWord } from './words.ts';

/** Section with every clause of the run, topic by topic. */
export function matrixSection(results: Results): Markup {
  const topics = byTopic(results.clauses);
  return markup`<section id="clauses" aria-labelledby="clauses-heading">
<h2 id="clauses-heading">All clauses by topic</h2>
<div class="wide" role="region" aria-label="Topics" tabindex="0">${countsTable('topic', topics, anchorOf)}</div>
${topics.map(topicTable)}
</section>`;
}

function anchorOf(topic: string): string {
  return `topic-${topic}`;
}

function topicTable({ topic, clauses }: TopicSummary): Markup {
  const heading = anchorOf(topic);
  return markup`<h3 id="${heading}">${topic}</h3>
<div class="wide" role="region" aria-labelledby="${heading}" tabindex="0"><table class="matrix">
<thead><tr><th scope="col">clause</th><th scope="col">verdict</th><th scope="col">level</th><th scope="col">section</th><th scope="col">checks</th><th scope="col">cases</th><th scope="col">assertions</th><th scope="col">time</th></tr></thead>
<tbody>
${clauses.map(clauseRow)}</tbody>
</table></div>
`;
}

function clauseRow(clause: ClauseResult): Markup {
  const { id, statement, verdict, level, section, checks } = clause;
  const sum = (of: (check: CheckResult) => number): number => checks.reduce((total, check) => total + of(check), 0);
  const open = checks.filter((check) => check.state === 'not-exercised');
  return markup`<tr id="clause-${id}"><th scope="row"><code>${id}</code><span class="statement">${statementText(statement)}</span>${
    // Of a clause that was not exercised at all the reasons have a section of their own.
    verdict === 'not-exercised' ? undefined : open.map(openNote)
  }${checks.map(flakyNote)}</th>
<td>${verdictCell(clause)}</td><td>${level}</td><td>${section}</td>
<td>${open.length === 0 ? figure(checks.length) : `${checks.length - open.length} of ${checks.length}`}</td><td>${figure(sum((check) => check.cases))}</td><td>${figure(sum((check) => check.assertions))}</td><td>${duration(sum((check) => check.durationMs))}</td></tr>
`;
}

function verdictCell({ id, verdict }: ClauseResult): Markup {
  const hasArticle = verdict === 'failed' || verdict === 'warned' || verdict === 'known';
  return hasArticle ? markup`<a href="#failure-${id}">${verdictWord(verdict)}</a>` : verdictWord(verdict);
}

function openNote(check: CheckResult): Markup {
  return markup`<p class="note">Not exercised: ${check.name} (${check.reason})</p>`;
}
