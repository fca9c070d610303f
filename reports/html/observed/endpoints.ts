import type { Results } from '../../../schemas/results.ts';
import type { ObservedShape } from '../../../schemas/observed.ts';
import type { ReportModel } from '../../model.ts';
import { markup, type Markup } from '../markup.ts';
import { ladderPart } from './ladder.ts';
import { precedencePart } from './precedence.ts';
import { said, saidFigure } from '../words.ts';
import { endpoints, methodAndPath, retiredEndpoints } from '../../../contract/endpoints.ts';

/**
 * Section with what was seen and not judged: the order of refusals, the times of retries, the statuses of answers. `undefined` of
 * a run that saw nothing, or that judged nothing.
 */
export function observedSection({ results, judgedNothing }: ReportModel): Markup | undefined {
  const { shapes = [], order = [], ladders = [] } = results;
  const isEmpty = shapes.length + order.length + ladders.length === 0;
  if (judgedNothing || isEmpty) return undefined;
  return markup`<section id="observed" aria-labelledby="observed-heading">
<h2 id="observed-heading">${said('Observed', 'Observado')}</h2>
<p>${said('What was seen on the way, also where the contract is silent. Nothing here is judged: that is what the clauses are for.', 'O que foi visto no caminho, também onde o contrato se cala. Nada aqui é julgado: para isso existem as cláusulas.')}</p>
${precedencePart(results)}
${ladderPart(results)}
${endpointsPart(results)}</section>`;
}

/** Statuses with a column of their own: those with most responses. */
const mostStatuses = 12;

/** An endpoint as a row of the table. */
interface Row {
  /** What the shapes call it. */
  readonly name: string;
  readonly number: Markup;
  readonly method: string;
  readonly path: Markup;
}

const standardRows: readonly Row[] = endpoints.map(({ name, number, method, path }) => ({
  name,
  number: markup`${number}`,
  method,
  path: markup`<code>${path}</code>`,
}));

const retiredRows: readonly Row[] = retiredEndpoints.map((retired) => ({
  name: methodAndPath(retired),
  number: replacedBy(endpoints.find(({ name }) => name === retired.replacement)?.number ?? 0),
  method: retired.method,
  path: markup`<code>${retired.path}</code>`,
}));

const otherRow: Row = {
  name: 'other',
  number: markup``,
  method: '',
  path: said('any other method or path', 'qualquer outro método ou caminho'),
};

/** Columns for these statuses, and one for all others where such were seen. */
interface Columns {
  readonly statuses: readonly number[];
  readonly hasOthers: boolean;
}

function columnsOf(shapes: readonly ObservedShape[]): Columns {
  const counts = new Map<number, number>();
  for (const { status, responses } of shapes) counts.set(status, (counts.get(status) ?? 0) + responses);
  const common = [...counts].sort(([, a], [, b]) => b - a).slice(0, mostStatuses);
  const statuses = common.map(([status]) => status).sort((a, b) => a - b);
  return { statuses, hasOthers: counts.size > statuses.length };
}

function replacedBy(number: number): Markup {
  return markup`<span aria-hidden="true">→ ${number}</span><span class="heard">${said(`replaced by ${number}`, `substituído pelo ${number}`)}</span>`;
}

/** The part with how many responses of which status came from each endpoint. */
function endpointsPart({ shapes = [] }: Results): Markup {
  const columns = columnsOf(shapes);
  const hasOther = shapes.some(({ endpoint }) => endpoint === otherRow.name);
  const group = (head: Markup, rows: readonly Row[]): Markup => markup`<tbody>
<tr><th scope="rowgroup" colspan="${3 + widthOf(columns)}">${head}</th></tr>
${rows.map((row) => endpointRow(row, columns, shapes))}</tbody>
`;
  return markup`<h3 id="observed-endpoints">${said('Endpoints and their statuses', 'Endpoints e seus status')}</h3>
<p>${said('How many responses came with each status, of checks and of their set-up alike.', 'Quantas respostas vieram com cada status, das verificações e também da preparação delas.')}</p>
<div class="wide" role="region" aria-labelledby="observed-endpoints" tabindex="0"><table class="statuses">
${tableHead(columns)}
${group(said('Standard endpoints', 'Endpoints vigentes'), standardRows)}${group(
    said(
      'Retired endpoints; the arrow leads to the endpoint in their place',
      'Endpoints desativados; a seta leva ao endpoint que os substitui',
    ),
    retiredRows,
  )}${hasOther ? group(said('Elsewhere', 'Em outros lugares'), [otherRow]) : undefined}</table></div>
`;
}

function tableHead({ statuses, hasOthers }: Columns): Markup {
  const heads = [said('no.', 'nº'), said('method', 'método'), said('path', 'caminho'), ...statuses.map(String)];
  const all = hasOthers ? [...heads, said('others', 'outros')] : heads;
  return markup`<thead><tr>${all.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>`;
}

function widthOf({ statuses, hasOthers }: Columns): number {
  return Math.max(1, statuses.length + Number(hasOthers));
}

function endpointRow({ name, number, method, path }: Row, columns: Columns, shapes: readonly ObservedShape[]): Markup {
  const own = shapes.filter(({ endpoint }) => endpoint === name);
  const head = markup`<td>${number}</td><td>${method}</td><th scope="row">${path}</th>`;
  if (own.length === 0)
    return markup`<tr>${head}<td class="none" colspan="${widthOf(columns)}">${said('no response seen', 'nenhuma resposta observada')}</td></tr>
`;
  const sum = (isMeant: (status: number) => boolean): number =>
    own.reduce((total, { status, responses }) => total + (isMeant(status) ? responses : 0), 0);
  const counts = columns.statuses.map((status) => sum((one) => one === status));
  const others = columns.hasOthers ? [sum((one) => !columns.statuses.includes(one))] : [];
  return markup`<tr>${head}${[...counts, ...others].map(countCell)}</tr>
`;
}

function countCell(count: number): Markup {
  return count === 0 ? markup`<td class="zero">·</td>` : markup`<td>${saidFigure(count)}</td>`;
}
