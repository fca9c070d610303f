import type { Results } from '../../schemas/results.ts';
import { utc } from '../figures.ts';
import { markup, type Content, type Markup } from './markup.ts';
import { said, saidDuration } from './said.ts';

/** Footer with the facts that describe a run and that its verdict does not rest on: the strip of trust has those. */
export function runFacts(results: Results): Markup {
  const { target } = results;
  const facts: [Markup, Content][] = [
    [said('Control API', 'API de controle'), target.control ? said('used', 'usada') : said('none', 'nenhuma')],
    [said('Profile', 'Perfil'), target.profile],
    [said('Asked for', 'Pedido'), results.filter],
    [said('Started', 'Início'), utc(results.startedAt)],
    [said('Duration', 'Duração'), saidDuration(results.durationMs)],
    [said('Format', 'Formato'), results.format],
  ];
  const shown = facts.filter(([, value]) => value !== undefined);
  return markup`<footer id="run" aria-labelledby="run-heading">
<h2 id="run-heading">${said('The run', 'A execução')}</h2>
<dl class="facts">${shown.map(
    ([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>
`,
  )}</dl>
</footer>`;
}
