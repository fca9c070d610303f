import type { ClauseResult, Results } from '../../schemas/results.ts';
import { byReason, type ReasonGroup } from '../grouping.ts';
import { inEnglish, type Say } from '../language.ts';
import { clausesText } from '../must.ts';
import { clausesOf } from '../verdicts.ts';
import { lineOf, type TextRoom } from './long-text.ts';
import { markup, type Markup } from './markup.ts';
import { said, saidBy } from './said.ts';
import { clauseLink, levelWord } from './words.ts';

/** Sections of what was not judged: not exercised, then blocked, then withheld, then unobservable, each grouped by reason. */
export function unjudgedSections(results: Results, room: TextRoom, say: Say = inEnglish.say): (Markup | undefined)[] {
  return [
    section(
      'not-exercised',
      said('Not exercised, and what would change that', 'Não exercitadas, e o que mudaria isso'),
      clausesOf(results, 'not-exercised'),
      room,
      say,
    ),
    section('blocked', said('Blocked, and by what', 'Bloqueadas, e por quê'), clausesOf(results, 'blocked'), room, say),
    section(
      'withheld',
      said('Withheld, and what lifts it', 'Retidas, e o que as libera'),
      clausesOf(results, 'withheld'),
      room,
      say,
    ),
    section(
      'unobservable',
      said('Unobservable, and why', 'Inobserváveis, e por quê'),
      clausesOf(results, 'unobservable'),
      room,
      say,
    ),
  ];
}

function section(
  id: string,
  title: Markup,
  clauses: readonly ClauseResult[],
  room: TextRoom,
  say: Say,
): Markup | undefined {
  if (clauses.length === 0) return undefined;
  return markup`<section id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${title}: ${saidBy((language) => clausesText(clauses, language))}</h2>
${byReason(clauses).map((group) => groupBlock(group, room, say))}
</section>
`;
}

function groupBlock({ reason, clauses }: ReasonGroup, room: TextRoom, say: Say): Markup {
  return markup`<h3 class="reason">${said(lineOf(reason, room), lineOf(say(reason), room))}</h3>
<ul class="links">${clauses.map(({ id, level }) => markup`<li>${clauseLink(id)}${level === 'must' ? undefined : markup` <span class="where">${levelWord(level)}</span>`}</li>`)}</ul>
`;
}
