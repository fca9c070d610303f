import type { CheckResult, ExchangeEvidence } from '../../schemas/results.ts';
import { figure } from '../figures.ts';
import type { Allowance } from './allowance.ts';
import { exchangeDetails } from './exchange.ts';
import { markup, type Markup } from './markup.ts';
import { said } from './said.ts';

/**
 * The exchanges of a check as far as the page may hold them, the last ones first to be kept, since they decide; and how
 * many were left out.
 */
export function exchangeList(check: CheckResult, allowance: Allowance): Markup | undefined {
  const { exchanges = [], exchangesMade = exchanges.length, state } = check;
  if (exchangesMade === 0 && exchanges.length === 0) return undefined;
  const shown = fitting(exchanges, allowance, state === 'failed');
  return markup`<div class="exchanges">
<h5>${said('Exchanges', 'Trocas')} <span class="note">${shownText(shown.length, Math.max(exchangesMade, exchanges.length), state)}</span></h5>
${shown}
</div>`;
}

function fitting(exchanges: readonly ExchangeEvidence[], allowance: Allowance, isFailure: boolean): readonly Markup[] {
  const shown: Markup[] = [];
  for (const [index, exchange] of [...exchanges.entries()].toReversed()) {
    if (allowance.isSpent()) break;
    // The last one is what a failure is about; the others stay folded.
    const piece = exchangeDetails(exchange, index + 1, isFailure && index === exchanges.length - 1);
    if (!allowance.take(piece)) break;
    shown.unshift(piece);
  }
  return shown;
}

function shownText(shown: number, made: number, state: CheckResult['state']): Markup {
  if (shown === made) return said(figure(made), figure(made));
  if (state === 'passed') {
    return said(`a sample: ${shown} of ${figure(made)}`, `uma amostra: ${shown} de ${figure(made)}`);
  }
  return said(
    `the last ${shown} of ${figure(made)}; what the run kept of the others is in results.json`,
    `as últimas ${shown} de ${figure(made)}; o que se guardou das outras está em results.json`,
  );
}
