import type { Results } from '../../../schemas/results.ts';
import type { ObservedShape, ObservedLadder } from '../../../schemas/observed.ts';
import type { ReportModel } from '../../model.ts';
import { markup, type Markup } from '../markup.ts';
import { precedencePart } from './precedence.ts';
import { said, saidFigure, saidBy, saidDuration } from '../words.ts';
import { endpoints, methodAndPath, retiredEndpoints } from '../../../contract/endpoints.ts';
import { retryInstantsSeconds, retryReadings, type RetryReading } from '../../../contract/values.ts';
import { figure } from '../../language.ts';

/**
 * Section with what was seen and not judged: the order of refusals, the times of retries, the statuses of answers. `undefined` of
 * a run that saw nothing, or that judged nothing.
 */
export function observedSection({ results, judgedNothing, say }: ReportModel): Markup | undefined {
  const { shapes = [], order = [], ladders = [] } = results;
  const isEmpty = shapes.length + order.length + ladders.length === 0;
  if (judgedNothing || isEmpty) return undefined;
  return markup`<section id="observed" aria-labelledby="observed-heading">
<h2 id="observed-heading">${said('Observed', 'Observado')}</h2>
<p>${said('What was seen on the way, also where the contract is silent. Nothing here is judged: that is what the clauses are for.', 'O que foi visto no caminho, também onde o contrato se cala. Nada aqui é julgado: para isso existem as cláusulas.')}</p>
${precedencePart(results, say['pt-BR'])}
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

/** Ladders that are drawn; a stored folder may hold more. */
const mostLadders = 12;

/** The part with the retries that were watched, on a time line and in numbers. */
function ladderPart({ ladders = [] }: Results): Markup {
  const shown = ladders.slice(0, mostLadders);
  return markup`<h3 id="observed-ladder">${said('When deliveries were tried again', 'Quando as entregas foram tentadas de novo')}</h3>
${shown.length === 0 ? nothingWatched() : [timeLine(shown), ladderTable(shown), leftOut(ladders.length - shown.length)]}`;
}

function nothingWatched(): Markup {
  return markup`<p>${said('No delivery was refused and watched until its retries were due in this run.', 'Nesta execução, nenhuma entrega foi recusada e acompanhada até o prazo dos reenvios.')}</p>`;
}

function leftOut(count: number): Markup | undefined {
  if (count === 0) return undefined;
  return markup`<p class="note">${said(`More in results.json: ${figure(count)}.`, `Mais em results.json: ${figure(count, 'pt-BR')}.`)}</p>`;
}

/** A drawing for the eye alone: the table has the same in numbers. */
function timeLine(ladders: readonly ObservedLadder[]): Markup {
  const times = [
    ...retryReadings.flatMap((reading) => retryInstantsSeconds[reading]),
    ...ladders.flatMap(({ retriesSeconds }) => retriesSeconds),
  ];
  const endSeconds = Math.max(...times);
  return markup`<div class="timeline" aria-hidden="true">
${retryReadings.map((reading) => plannedRow(reading, endSeconds))}${ladders.map((ladder) => seenRow(ladder, endSeconds))}<p class="note">${said(
    'Time since the first attempt, on a logarithmic scale. Strokes: the planned instants; dots: the attempts; the solid line: how long they were watched.',
    'Tempo desde a primeira tentativa, em escala logarítmica. Traços: os instantes previstos; pontos: as tentativas; linha contínua: até quando foram acompanhadas.',
  )}</p>
</div>
`;
}

function plannedRow(reading: RetryReading, endSeconds: number): Markup {
  const marks = [0, ...retryInstantsSeconds[reading]].map((seconds) =>
    mark('planned', seconds, endSeconds, clockText(seconds)),
  );
  return markup`<div class="who"><b>${said('Planned', 'Previsto')}</b> <span class="note">${saidReading(reading)}</span></div><div class="track axis"><div>${marks}</div></div>
`;
}

function seenRow(ladder: ObservedLadder, endSeconds: number): Markup {
  const { retriesSeconds, watchedSeconds } = ladder;
  const instants = retryInstantsSeconds[nearestReading(retriesSeconds) ?? retryReadings[0]];
  return markup`<div class="who">${saidLadder(ladder)}</div><div class="track"><div><span class="watched" style="width:${placeOnLine(watchedSeconds, endSeconds)}%"></span>${[
    instants.map((seconds) => mark('planned', seconds, endSeconds)),
    [0, ...retriesSeconds].map((seconds) => mark('seen', seconds, endSeconds)),
  ]}</div></div>
`;
}

function mark(kind: 'planned' | 'seen', seconds: number, endSeconds: number, label?: string): Markup {
  return markup`<span class="${kind}" style="left:${placeOnLine(seconds, endSeconds)}%">${label}</span>`;
}

/** An instant as an axis says it, short: "36 min", "2 h 36". */
function clockText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes === 0) return '0';
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest}`;
}

/** Retries of one ladder that are shown: three more than are planned. */
const mostRetries = 8;

/** The time line in numbers: planned instants by either reading, and the retries that came, in seconds. */
function ladderTable(ladders: readonly ObservedLadder[]): Markup {
  const planned = retryInstantsSeconds[retryReadings[0]].length;
  const most = Math.max(planned, ...ladders.map(({ retriesSeconds }) => retriesSeconds.length));
  const columns = Array.from({ length: Math.min(most, mostRetries) }, (_, at) => at);
  return markup`<div class="wide" role="region" aria-labelledby="observed-ladder" tabindex="0"><table class="ladder">
<caption>${said('Seconds after the first attempt', 'Segundos após a primeira tentativa')}</caption>
<thead><tr><th scope="col">${said('deliveries', 'entregas')}</th>${columns.map((at) => markup`<th scope="col">${said(`retry ${at + 1}`, `reenvio ${at + 1}`)}</th>`)}<th scope="col">${said('watched for', 'acompanhado por')}</th><th scope="col">${said('nearest reading', 'leitura mais próxima')}</th></tr></thead>
<tbody>${retryReadings.map((reading) => plannedCells(reading, columns))}</tbody>
<tbody>${ladders.map((ladder) => seenCells(ladder, columns))}</tbody>
</table></div>
${ladders.some(({ source }) => source === 'moved-clock') ? aboutSteps() : undefined}`;
}

function aboutSteps(): Markup {
  return markup`<p class="note">${said(
    'Where the clock was moved, a retry is dated to the end of the step in which it came: up to 2 % of the wait late.',
    'Onde o relógio foi adiantado, o reenvio leva a hora do fim do passo em que veio: até 2 % da espera de atraso.',
  )}</p>
`;
}

function plannedCells(reading: RetryReading, columns: readonly number[]): Markup {
  const cell = (at: number): Markup => {
    const seconds = retryInstantsSeconds[reading][at];
    return seconds === undefined ? noneCell() : markup`<td>${saidFigure(seconds)}</td>`;
  };
  return markup`<tr><th scope="row"><b>${said('Planned', 'Previsto')}</b> <span class="note">${saidReading(reading)}</span></th>${columns.map(cell)}${noneCell()}${noneCell()}</tr>
`;
}

function seenCells(ladder: ObservedLadder, columns: readonly number[]): Markup {
  const { retriesSeconds, watchedSeconds } = ladder;
  const more = retriesSeconds.length - columns.length;
  return markup`<tr><th scope="row">${saidLadder(ladder)}${more > 0 ? markup` <span class="note">${said(`further retries: ${figure(more)}`, `outros reenvios: ${figure(more, 'pt-BR')}`)}</span>` : undefined}</th>${columns.map((at) => retryCell(ladder, at))}<td>${saidDuration(watchedSeconds * 1000)}</td>${readingCell(retriesSeconds)}</tr>
`;
}

function readingCell(retriesSeconds: readonly number[]): Markup {
  if (retriesSeconds.length === 0) return noneCell();
  const reading = nearestReading(retriesSeconds);
  return markup`<td>${reading ? saidReading(reading) : said('either', 'qualquer uma')}</td>`;
}

function retryCell(ladder: ObservedLadder, at: number): Markup {
  const seconds = ladder.retriesSeconds[at];
  if (seconds === undefined) return noneCell();
  const offset = offsetSeconds(ladder, at);
  const beside =
    offset === undefined
      ? said('not planned', 'não previsto')
      : saidBy((language) => `${offset < 0 ? '−' : '+'}${figure(Math.abs(offset), language)} s`);
  return markup`<td>${saidFigure(seconds)} <span class="note">${beside}</span></td>`;
}

function noneCell(): Markup {
  return markup`<td class="zero">–</td>`;
}

/** A reading of the planned delays in words. */
function saidReading(reading: RetryReading): Markup {
  switch (reading) {
    case 'each after the one before':
      return said('each after the one before', 'cada uma após a anterior');
    case 'all after the first':
      return said('all after the first', 'todas após a primeira');
  }
}

/** Whose retries they are and how they were seen, in words. */
function saidLadder({ channel, source }: ObservedLadder): Markup {
  return markup`<b>${saidChannel(channel)}</b> <span class="note">${saidSource(source)}</span>`;
}

function saidChannel(channel: ObservedLadder['channel']): Markup {
  switch (channel) {
    case 'issuance':
      return said('Issuance callback', 'Callback de emissão');
    case 'verification':
      return said('Verification event', 'Evento de verificação');
  }
}

function saidSource(source: ObservedLadder['source']): Markup {
  switch (source) {
    case 'moved-clock':
      return said('clock moved in steps', 'relógio adiantado em passos');
    case 'real-time':
      return said('in real time', 'em tempo real');
    case 'stored':
      return said('stored by the receiver', 'guardado pelo receptor');
  }
}

/** Reading of the delays that comes nearest to the retries as a whole; `undefined` where both come equally near. */
export function nearestReading(retriesSeconds: readonly number[]): RetryReading | undefined {
  const [one, other] = retryReadings;
  const [ofOne, ofOther] = [distance(retriesSeconds, one), distance(retriesSeconds, other)];
  if (ofOne === ofOther) return undefined;
  return ofOne < ofOther ? one : other;
}

/** Seconds by which a retry came after its instant, by the nearest reading; `undefined` of one that is not planned. */
function offsetSeconds({ retriesSeconds }: ObservedLadder, index: number): number | undefined {
  const instant = retryInstantsSeconds[nearestReading(retriesSeconds) ?? retryReadings[0]][index];
  const retry = retriesSeconds[index];
  return instant === undefined || retry === undefined ? undefined : retry - instant;
}

function distance(retriesSeconds: readonly number[], reading: RetryReading): number {
  const instants = retryInstantsSeconds[reading].slice(0, retriesSeconds.length);
  return instants.reduce((sum, instant, at) => sum + Math.abs((retriesSeconds[at] ?? 0) - instant) / instant, 0);
}

/** Below this, in seconds, the time line is about linear; above, logarithmic. */
const linearSeconds = 30;

/** Where a time stands on a line that ends at `endSeconds`, in percent of its length. */
function placeOnLine(seconds: number, endSeconds: number): number {
  const share = Math.log1p(Math.min(seconds, endSeconds) / linearSeconds) / Math.log1p(endSeconds / linearSeconds);
  return Math.round(share * 10_000) / 100;
}
