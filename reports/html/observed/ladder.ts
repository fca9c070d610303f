import { retryInstantsSeconds, retryReadings, type RetryReading } from '../../../contract/retry-ladder.ts';
import type { Results } from '../../../schemas/results.ts';
import type { ObservedLadder } from '../../../schemas/observed.ts';
import { figure } from '../../figures.ts';
import { markup, type Markup } from '../markup.ts';
import { said } from '../said.ts';
import { ladderTable } from './ladder-table.ts';
import { saidLadder, saidReading } from './ladder-words.ts';
import { nearestReading, placeOnLine } from './retries.ts';

/** Ladders that are drawn; a stored folder may hold more. */
const mostLadders = 12;

/** The part with the retries that were watched, on a time line and in numbers. */
export function ladderPart({ ladders = [] }: Results): Markup {
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
