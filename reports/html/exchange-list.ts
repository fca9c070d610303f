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
  const { exchanges = [], exchangesMade = exchanges.length } = check;
  if (exchangesMade === 0 && exchanges.length === 0) return undefined;
  const shown = fitting(exchanges, allowance, check.state === 'failed');
  return markup`<div class="exchanges">
<h5>${said('Exchanges', 'Trocas')} <span class="note">${shownText(shown.length, check)}</span></h5>
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

/** How many are shown, of which, and where the others are. */
function shownText(shown: number, { exchanges = [], exchangesMade = exchanges.length, state }: CheckResult): Markup {
  const [kept, made] = [figure(exchanges.length), figure(Math.max(exchangesMade, exchanges.length))];
  if (shown < exchanges.length) {
    return said(
      `the last ${shown} of ${kept}; the others are in results.json: they would make this page too large`,
      `as últimas ${shown} de ${kept}; as outras, que tornariam esta página grande demais, estão em results.json`,
    );
  }
  if (kept === made) return said(kept, kept);
  return state === 'passed'
    ? said(`a sample: ${kept} of ${made}`, `uma amostra: ${kept} de ${made}`)
    : said(
        `${kept} of the failing case; the check made ${made}`,
        `${kept} do caso que falhou; a verificação fez ${made}`,
      );
}
