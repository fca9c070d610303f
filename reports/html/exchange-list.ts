import type { CheckResult } from '../../schemas/results.ts';
import { figure } from '../figures.ts';
import { markup, type Markup } from './markup.ts';
import { said } from './said.ts';

/** The exchanges of a check that are shown, with how many there were; nothing of a check that sent nothing. */
export function exchangeList(check: CheckResult, shown: readonly Markup[]): Markup | undefined {
  const { exchanges = [], exchangesMade = exchanges.length } = check;
  if (exchangesMade === 0 && exchanges.length === 0) return undefined;
  return markup`<div class="exchanges">
<h5>${said('Exchanges', 'Trocas')} <span class="note">${shownText(shown.length, check)}</span></h5>
${shown}
</div>`;
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
