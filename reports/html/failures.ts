import type { CheckResult, ClauseResult, ClauseVerdict, Results } from '../../schemas/results.ts';
import { failedChecks } from '../evidence.ts';
import { counted, duration } from '../figures.ts';
import { clausesOf } from '../verdicts.ts';
import { exchangeList } from './exchange.ts';
import { exactText, markup, type Markup } from './markup.ts';
import { clauseLink, flakyNote, statementText, verdictWord } from './words.ts';

interface Section {
  readonly verdict: ClauseVerdict;
  readonly id: string;
  readonly title: string;
  readonly note: string;
}

const sections: readonly Section[] = [
  { verdict: 'failed', id: 'failures', title: 'Failures', note: 'Each of these breaks the contract.' },
  {
    verdict: 'warned',
    id: 'warnings',
    title: 'Warnings',
    note: 'Recommended or only implied by the contract; the run stays conformant.',
  },
  {
    verdict: 'known',
    id: 'known',
    title: 'Known deviations',
    note: 'Listed as accepted for now; the run stays conformant.',
  },
];

/** Sections of what did not hold: failures, then warnings, then known deviations; those without a clause are left out. */
export function failureSections(results: Results): (Markup | undefined)[] {
  return sections.map((section) => failureSection(section, clausesOf(results, section.verdict)));
}

function failureSection({ id, title, note }: Section, clauses: readonly ClauseResult[]): Markup | undefined {
  if (clauses.length === 0) return undefined;
  return markup`<section id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${title}: ${counted(clauses.length, 'clause')}</h2>
<p class="note">${note}</p>
${clauses.map(clauseArticle)}
</section>
`;
}

function clauseArticle(clause: ClauseResult): Markup {
  const { id, verdict, section, level, statement, reason } = clause;
  return markup`<article class="clause ${verdict}" aria-labelledby="failure-${id}">
<h3 id="failure-${id}">${clauseLink(id)} <span class="where">section ${section}, ${level}</span> ${verdictWord(verdict)}</h3>
<p class="statement">${statementText(statement)}</p>
${reason === undefined ? undefined : markup`<p class="reason"><strong>Reason:</strong> ${reason}</p>`}
${failedChecks(clause).map(checkBlock)}
</article>
`;
}

function checkBlock(check: CheckResult): Markup {
  const { error } = check;
  const facts = `${check.file}, ${counted(check.cases, 'case')}, ${counted(check.assertions, 'assertion')}, ${duration(check.durationMs)}`;
  return markup`<div class="check">
<h4>${statementText(error?.title ?? check.name)}</h4>
<dl class="finding">${[
    entry('Expected', error?.expected, 'expected'),
    entry('Actual', error?.actual, 'actual'),
    error?.twin
      ? entry('Twin', 'The request without its flaw was refused as well, so the flaw proved nothing.')
      : undefined,
    entry('Hint', error?.hint),
    entry('Counterexample', check.counterexample),
    entry('Repeat', check.replay, 'command'),
  ]}</dl>
${flakyNote(check)}
${exchangeList(check.exchanges ?? [])}
<p class="note">${facts}</p>
</div>
`;
}

function entry(label: string, value: string | undefined, kind = ''): Markup | undefined {
  if (value === undefined) return undefined;
  const isProse = label === 'Hint' || label === 'Twin';
  const body = isProse ? value : markup`<pre class="${kind}" tabindex="0">${exactText(value)}</pre>`;
  return markup`<dt>${label}</dt><dd>${body}</dd>
`;
}
