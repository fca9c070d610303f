import type { Results } from '../../../schemas/results.ts';
import { compareResults } from '../../compare/compare.ts';
import type { FieldDifference, FieldSide, ShapeDifference } from '../../compare/shapes.ts';
import { figure, utc } from '../../figures.ts';
import { shortened, visible } from '../../visible.ts';
import { markup, type Markup } from '../markup.ts';
import { said } from '../said.ts';
import { endpointName } from './endpoint-name.ts';
import { saidContentTypes, saidTypes } from './shape-words.ts';

/** What is shown at most, so that no target can fill the page. */
const most = { shapes: 60, fields: 20 };
const longestText = 120;

/** How the answers differ from those of an earlier run, in words. */
export function driftOf(baseline: Results, results: Results): Markup {
  const { compared, shapes } = compareResults(baseline, results);
  return markup`<h4>${said('Since the earlier run', 'Desde a execução anterior')} <span class="note">${utc(baseline.startedAt)}</span></h4>
${compared.shapes === 0 ? notCompared() : shapes.length === 0 ? noDrift(compared.shapes) : drift(shapes)}`;
}

function notCompared(): Markup {
  return markup`<p>${said(
    'Not compared: one of the runs recorded no shapes, or they were not asked for the same clauses.',
    'Sem comparação: uma das execuções não registrou formas, ou elas não cobrem as mesmas cláusulas.',
  )}</p>
`;
}

function noDrift(count: number): Markup {
  return markup`<p>${said(`No drift; shapes compared: ${figure(count)}.`, `Sem mudanças; formas comparadas: ${figure(count, 'pt-BR')}.`)}</p>
`;
}

function drift(shapes: readonly ShapeDifference[]): Markup {
  const shown = shapes.slice(0, most.shapes);
  return markup`<p>${said(
    `Shapes that differ: ${figure(shapes.length)}. That is no deviation by itself: the contract leaves much of them open, and another seed sends other requests.`,
    `Formas que diferem: ${figure(shapes.length, 'pt-BR')}. Isso por si só não é desvio: o contrato deixa boa parte delas em aberto, e outra semente envia outras requisições.`,
  )}</p>
<ul class="drift">${shown.map(shapeItem)}${moreItem(shapes.length - shown.length)}</ul>
`;
}

function shapeItem({ endpoint, status, responses, contentTypes, fields }: ShapeDifference): Markup {
  const head = markup`${endpointName(endpoint)} HTTP ${status}`;
  if (responses.b === 0)
    return markup`<li>${head}: ${said('no longer seen', 'não apareceu mais')}</li>
`;
  if (responses.a === 0)
    return markup`<li>${head}: ${said('seen for the first time', 'apareceu pela primeira vez')}</li>
`;
  const types =
    contentTypes &&
    change(
      said('content type', 'tipo de conteúdo'),
      saidContentTypes(contentTypes.a),
      saidContentTypes(contentTypes.b),
    );
  const shown = fields.slice(0, most.fields);
  return markup`<li>${head}<ul>${types}${shown.map(fieldItem)}${moreItem(fields.length - shown.length)}</ul></li>
`;
}

function fieldItem({ pointer, a, b }: FieldDifference): Markup {
  const name = pointer === '' ? said('the body', 'o corpo') : markup`<code>${text(pointer)}</code>`;
  if (a && b) return change(name, sideText(a), sideText(b));
  if (b) return markup`<li>${name}: ${said('new', 'novo')}, ${sideText(b)}</li>`;
  return markup`<li>${name}: ${said('gone', 'sumiu')}</li>`;
}

/** What something was and is. */
function change(name: Markup, before: Markup, now: Markup): Markup {
  return markup`<li>${name}: ${said('was', 'era')} ${before}; ${said('is', 'é')} ${now}</li>`;
}

function sideText({ types, always }: FieldSide): Markup {
  return markup`${saidTypes(types)}, ${always ? said('always', 'sempre') : said('sometimes', 'às vezes')}`;
}

function moreItem(count: number): Markup | undefined {
  return count === 0
    ? undefined
    : markup`<li>${said(`and ${figure(count)} more`, `e mais ${figure(count, 'pt-BR')}`)}</li>`;
}

function text(value: string): string {
  return shortened(visible(value), longestText);
}
