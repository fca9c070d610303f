import type { ClauseResult, Results } from '../../schemas/results.ts';
import { counted } from '../figures.ts';
import { byReason, type ReasonGroup } from '../grouping.ts';
import { clausesOf } from '../verdicts.ts';
import { markup, type Markup } from './markup.ts';
import { clauseLink, statementText } from './words.ts';

/** Sections of what was not judged: not exercised, then unobservable, each grouped by reason. */
export function unjudgedSections(results: Results): (Markup | undefined)[] {
  return [
    section('not-exercised', 'Not exercised', clausesOf(results, 'not-exercised')),
    section('unobservable', 'Unobservable', clausesOf(results, 'unobservable')),
  ];
}

function section(id: string, title: string, clauses: readonly ClauseResult[]): Markup | undefined {
  if (clauses.length === 0) return undefined;
  return markup`<section id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${title}: ${counted(clauses.length, 'clause')}</h2>
${byReason(clauses).map(groupBlock)}
</section>
`;
}

function groupBlock({ reason, clauses }: ReasonGroup): Markup {
  return markup`<h3 class="reason">${reason}</h3>
<ul>${clauses.map((clause) => markup`<li>${clauseLink(clause.id)} <span class="where">${clause.level}</span> ${statementText(clause.statement)}</li>`)}</ul>
`;
}
