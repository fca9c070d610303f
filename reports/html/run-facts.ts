import type { Results } from '../../schemas/results.ts';
import { counted, duration, requestsText, utc } from '../figures.ts';
import { markup, type Content, type Markup } from './markup.ts';
import { said } from './said.ts';

/** Footer with every fact that describes a run. */
export function runFacts(results: Results): Markup {
  const { target } = results;
  const facts: [Markup, Content][] = [
    [said('Target', 'Serviço testado'), `${target.kind}, ${target.baseUrl}`],
    [said('Implementation', 'Implementação'), target.implementation],
    [said('Control API', 'API de controle'), target.control ? said('used', 'usada') : said('none', 'nenhuma')],
    [said('Profile', 'Perfil'), target.profile],
    [said('Asked for', 'Pedido'), results.filter],
    [said('Started', 'Início'), utc(results.startedAt)],
    [said('Duration', 'Duração'), duration(results.durationMs)],
    [said('Requests', 'Requisições'), requestsText(results)],
    [said('Seed', 'Semente'), String(results.seed)],
    [said('Cases per property', 'Casos por propriedade'), counted(results.numRuns, 'case')],
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
