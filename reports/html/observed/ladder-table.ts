import { retryInstantsSeconds, retryReadings, type RetryReading } from '../../../contract/retry-ladder.ts';
import type { ObservedLadder } from '../../../schemas/observed.ts';
import { figure } from '../../figures.ts';
import { markup, type Markup } from '../markup.ts';
import { said, saidBy, saidDuration, saidFigure } from '../said.ts';
import { saidLadder, saidReading } from './ladder-words.ts';
import { nearestReading, offsetSeconds } from './retries.ts';

/** Retries of one ladder that are shown: three more than are planned. */
const mostRetries = 8;

/** The time line in numbers: planned instants by either reading, and the retries that came, in seconds. */
export function ladderTable(ladders: readonly ObservedLadder[]): Markup {
  const planned = retryInstantsSeconds[retryReadings[0]].length;
  const most = Math.max(planned, ...ladders.map(({ retriesSeconds }) => retriesSeconds.length));
  const columns = Array.from({ length: Math.min(most, mostRetries) }, (_, at) => at);
  return markup`<div class="wide" role="region" aria-labelledby="observed-ladder" tabindex="0"><table class="ladder">
<caption>${said('Seconds after the first attempt', 'Segundos após a primeira tentativa')}</caption>
<thead><tr><th scope="col">${said('deliveries', 'entregas')}</th>${columns.map((at) => markup`<th scope="col">${said(`retry ${at + 1}`, `reenvio ${at + 1}`)}</th>`)}<th scope="col">${said('watched for', 'acompanhado por')}</th><th scope="col">${said('nearest reading', 'leitura mais próxima')}</th></tr></thead>
<tbody>${retryReadings.map((reading) => plannedRow(reading, columns))}</tbody>
<tbody>${ladders.map((ladder) => seenRow(ladder, columns))}</tbody>
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

function plannedRow(reading: RetryReading, columns: readonly number[]): Markup {
  const cell = (at: number): Markup => {
    const seconds = retryInstantsSeconds[reading][at];
    return seconds === undefined ? noneCell() : markup`<td>${saidFigure(seconds)}</td>`;
  };
  return markup`<tr><th scope="row"><b>${said('Planned', 'Previsto')}</b> <span class="note">${saidReading(reading)}</span></th>${columns.map(cell)}${noneCell()}${noneCell()}</tr>
`;
}

function seenRow(ladder: ObservedLadder, columns: readonly number[]): Markup {
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
