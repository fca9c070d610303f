import type { Finding } from '../../schemas/finding.ts';
import type { ClauseResult } from '../../schemas/results.ts';
import { findingStatement, lookOf } from '../findings/statement.ts';
import { utc } from '../language.ts';
import type { ReportModel } from '../model.ts';
import { markup, type Markup } from './markup.ts';
import { said, saidBy, saidCount, saidFigure, clauseLink, findingPlace, selfLink, verdictWord } from './words.ts';

/** Findings that are told: of a target that gets everything wrong nobody reads more. */
const mostTold = 40;

/** Section with the causes of what does not hold, the heaviest first; nothing where all holds. */
export function findingsSection({ findings, results, say }: ReportModel): Markup | undefined {
  if (findings.length === 0) return undefined;
  const left = findings.length - mostTold;
  return markup`<section id="findings" aria-labelledby="findings-heading">
<h2 id="findings-heading">${said('Findings', 'Achados')}: ${saidFigure(findings.length)}</h2>
<ol class="findings">
${findings.slice(0, mostTold).map((finding) => findingItem(finding, results.clauses, say))}</ol>
${left > 0 ? markup`<p class="note">${saidCount(left, { en: ['more finding', 'more findings'], 'pt-BR': ['achado a mais', 'achados a mais'] })}</p>` : undefined}
</section>`;
}

function findingItem(finding: Finding, clauses: readonly ClauseResult[], say: ReportModel['say']): Markup {
  const [first = '', ...others] = finding.clauses;
  const section = clauses.find(({ id }) => id === first)?.section ?? '';
  const statement = saidBy((language) => findingStatement(finding, { language, say: say[language] }));
  const place = findingPlace(finding);
  return markup`<li id="${place}">
<p class="statement">${verdictWord(lookOf(finding, clauses).verdict)} ${statement}${selfLink(place)}</p>
<div class="where">${said('section', 'seção')} ${section}, ${failureLink(first)}${others.length === 0 ? undefined : markup` ${said('and', 'e')} ${clauseList(others, { en: ['clause more', 'clauses more'], 'pt-BR': ['cláusula a mais', 'cláusulas a mais'] })}`}${blockedList(finding)}${sinceText(finding)}</div>
</li>
`;
}

function failureLink(id: string): Markup {
  return markup`<a href="#failure-${id}"><code>${id}</code></a>`;
}

function blockedList({ blocked }: Finding): Markup | undefined {
  if (blocked.length === 0) return undefined;
  const nouns = { en: ['clause', 'clauses'], 'pt-BR': ['cláusula', 'cláusulas'] } as const;
  return markup`; ${said('blocks', 'bloqueia')} ${clauseList(blocked, nouns)}`;
}

function clauseList(ids: readonly string[], nouns: Parameters<typeof saidCount>[1]): Markup {
  const links = ids.map((id, at) => markup`${at === 0 ? undefined : ', '}${clauseLink(id)}`);
  return markup`<details class="inline"><summary>${saidCount(ids.length, nouns)}</summary>${links}</details>`;
}

function sinceText({ since, isNew }: Finding): Markup | undefined {
  if (since === undefined) return undefined;
  if (isNew) return markup`; <strong>${said('new since the last run', 'novo desde a última execução')}</strong>`;
  return markup`; ${said('since', 'desde')} ${utc(since)}`;
}
