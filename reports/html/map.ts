import type { Results } from '../../schemas/results.ts';
import { byTopic } from '../grouping.ts';
import { markup, type Markup } from './markup.ts';
import { said, saidFigure } from './said.ts';
import { clauseLook, stripOf } from './strip.ts';

/** Section with a sign for each clause, topic by topic: how much was seen, what broke, and what that blocked. */
export function mapSection({ clauses }: Results): Markup {
  const isBlocked = clauses.some(({ verdict }) => verdict === 'blocked');
  return markup`<section id="map" aria-labelledby="map-heading">
<h2 id="map-heading">${said('Every clause at a glance', 'Todas as cláusulas de relance')}: ${saidFigure(clauses.length)}</h2>
<dl class="map">${byTopic(clauses).map(
    ({ topic, clauses: own }) =>
      markup`<div><dt><a href="#topic-${topic}">${topic}</a></dt><dd>${stripOf(own.map(({ verdict }) => clauseLook(verdict)))}</dd></div>
`,
  )}</dl>
${isBlocked ? markup`<p class="note"><span class="blocked" aria-hidden="true">${clauseLook('blocked').sign}</span> ${said('blocked: what it stands on is broken', 'bloqueada: aquilo em que se apoia está quebrado')}</p>` : undefined}
</section>`;
}
