import { endpoints, methodAndPath, retiredEndpoints } from '../../../contract/endpoints.ts';
import type { Results } from '../../../schemas/results.ts';
import type { ObservedField, ObservedShape } from '../../../schemas/observed.ts';
import { figure } from '../../figures.ts';
import { shortened, visible } from '../../visible.ts';
import { markup, type Markup } from '../markup.ts';
import { said, saidFigure } from '../said.ts';
import { driftOf } from './drift.ts';
import { endpointName } from './endpoint-name.ts';
import { saidContentTypes, saidTypes } from './shape-words.ts';

/** What is shown at most, so that no target can fill the page: fields in all, fields of a shape, shapes of an endpoint. */
const most = { fields: 2000, fieldsOfShape: 80, shapesOfEndpoint: 12 };
const longestPointer = 120;

/** Answers of one endpoint that looked the same, with their statuses. */
interface Look {
  readonly statuses: readonly ObservedShape[];
  readonly contentTypes: readonly string[];
  readonly fields: readonly ObservedField[];
}

/** The part with what the answers of each endpoint looked like, and with a baseline first how that has changed. */
export function shapesPart(results: Results, baseline?: Results): Markup {
  const endpointShapes = byEndpoint(results.shapes ?? []);
  const looks = endpointShapes.map(({ endpoint, shapes }) => ({ endpoint, shapes, looks: looksOf(shapes) }));
  const count = looks.reduce((sum, { looks: own }) => sum + Math.min(own.length, most.shapesOfEndpoint), 0);
  const perShape = Math.min(most.fieldsOfShape, Math.max(3, Math.floor(most.fields / Math.max(1, count))));
  return markup`<h3 id="observed-shapes">${said('What the answers looked like', 'Como eram as respostas')}</h3>
<p>${said('Content types and fields, also those that the contract leaves open; no values. A field was there every time, unless it says “sometimes”.', 'Tipos de conteúdo e campos, também os que o contrato deixa em aberto; sem valores. Um campo veio todas as vezes, a não ser que diga “às vezes”.')}</p>
${baseline && driftOf(baseline, results)}${looks.map((one) => endpointDetails(one.endpoint, one.shapes, one.looks, perShape))}`;
}

interface EndpointShapes {
  readonly endpoint: string;
  readonly shapes: readonly ObservedShape[];
}

/** In the order of the contract; what it does not know comes last. */
function byEndpoint(shapes: readonly ObservedShape[]): EndpointShapes[] {
  const known: readonly string[] = [...endpoints.map(({ name }) => name), ...retiredEndpoints.map(methodAndPath)];
  const place = (name: string): number => (known.includes(name) ? known.indexOf(name) : known.length);
  const groups = Map.groupBy(shapes, ({ endpoint }) => endpoint);
  return [...groups]
    .map(([endpoint, own]) => ({ endpoint, shapes: own }))
    .sort((a, b) => place(a.endpoint) - place(b.endpoint));
}

function looksOf(shapes: readonly ObservedShape[]): Look[] {
  const groups = Map.groupBy(shapes, ({ contentTypes, fields }) => JSON.stringify([contentTypes, fields]));
  return [...groups.values()].flatMap((statuses): Look[] => {
    const [first] = statuses;
    return first ? [{ statuses, contentTypes: first.contentTypes, fields: first.fields }] : [];
  });
}

function endpointDetails(
  endpoint: string,
  shapes: readonly ObservedShape[],
  looks: readonly Look[],
  perShape: number,
): Markup {
  const shown = looks.slice(0, most.shapesOfEndpoint);
  return markup`<details class="shapes"><summary>${endpointName(endpoint)} <span class="note">${statusesText(shapes)}</span></summary>
${shown.map((look) => lookTable(look, perShape))}${leftOut(looks.length - shown.length, 'shapes', 'formas')}</details>
`;
}

function statusesText(shapes: readonly ObservedShape[]): string {
  const first = shapes.slice(0, most.shapesOfEndpoint).map(({ status }) => String(status));
  return [...first, ...(shapes.length > first.length ? ['…'] : [])].join(', ');
}

function lookTable(look: Look, perShape: number): Markup {
  const { statuses, contentTypes, fields } = look;
  const responses = statuses.reduce((sum, shape) => sum + shape.responses, 0);
  const head = markup`<b>HTTP ${statusesText(statuses)}</b> <span class="note">${saidContentTypes(contentTypes)} · ${said('responses', 'respostas')}: ${saidFigure(responses)}</span>`;
  const [only] = fields;
  if (!only) return markup`<p class="bare">${head}: ${said('not looked into', 'não examinado')}</p>`;
  if (fields.length === 1)
    return markup`<p class="bare">${head}: ${saidTypes(only.types)}</p>
`;
  const shown = fields.slice(0, perShape);
  return markup`<table class="fields"><caption>${head}</caption>
<thead><tr><th scope="col">${said('field', 'campo')}</th><th scope="col">${said('types', 'tipos')}</th></tr></thead>
<tbody>${shown.map(fieldRow)}</tbody></table>
${leftOut(fields.length - shown.length, 'fields', 'campos')}`;
}

function fieldRow({ pointer, types, always }: ObservedField): Markup {
  const name =
    pointer === '' ? said('the body', 'o corpo') : markup`<code>${shortened(visible(pointer), longestPointer)}</code>`;
  return markup`<tr><th scope="row">${name}</th><td>${saidTypes(types)}${always ? undefined : markup` <span class="note">${said('sometimes', 'às vezes')}</span>`}</td></tr>
`;
}

function leftOut(count: number, english: string, portuguese: string): Markup | undefined {
  if (count === 0) return undefined;
  return markup`<p class="note">${said(`More ${english} in results.json: ${figure(count)}.`, `Mais ${portuguese} em results.json: ${figure(count, 'pt-BR')}.`)}</p>
`;
}
