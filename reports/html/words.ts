import type { Clause } from '../../contract/clause.ts';
import type { Finding } from '../../schemas/finding.ts';
import type { CheckResult, ClauseVerdict } from '../../schemas/results.ts';
import { levelPhrases } from '../clause-level.ts';
import { verdictLooks } from '../verdicts.ts';
import { lineOf, type TextRoom } from './long-text.ts';
import { markup, type Markup } from './markup.ts';
import { said, saidPhrase } from './said.ts';

/** A clause verdict in sign, word and colour. */
export function verdictWord(verdict: ClauseVerdict): Markup {
  const look = verdictLooks.find((one) => one.verdict === verdict);
  return markup`<span class="verdict ${verdict}"><span aria-hidden="true">${look?.sign}</span> ${look && said(look.word, look.portuguese)}</span>`;
}

/** How binding a clause is. */
export function levelWord(level: Clause['level']): Markup {
  return saidPhrase(levelPhrases[level]);
}

/** Link to the row of a clause in the table of all clauses. */
export function clauseLink(id: string): Markup {
  return markup`<a href="#clause-${id}"><code>${id}</code></a>`;
}

/** What the outcomes of a check's repetitions were, where they differed. */
export function flakyNote(check: CheckResult, room: TextRoom): Markup | undefined {
  if (check.flaky === undefined) return undefined;
  return markup`<p class="note"><strong>${said('Flaky', 'Instável')}:</strong> ${said('repeats of', 'repetições de')} “${check.name}” ${said('came to', 'deram em')} ${lineOf(check.flaky.join(', '), room)}.</p>`;
}

/** A statement of the catalogue, its back-quoted words set as code. */
export function statementText(statement: string): Markup {
  const pieces = statement.split(/`([^`]*)`/);
  return markup`${pieces.map((piece, index) => (index % 2 === 1 ? markup`<code>${piece}</code>` : piece))}`;
}

/** Where a finding is in a page: what may stand in an address. */
export function findingPlace({ id }: Pick<Finding, 'id'>): string {
  return `finding-${id.replaceAll(/[^\w.-]+/g, '-')}`;
}

/** A link of something to itself, for who wants to point at it. */
export function selfLink(place: string): Markup {
  return markup` <a class="self" href="#${place}" aria-label="${place}">#</a>`;
}
