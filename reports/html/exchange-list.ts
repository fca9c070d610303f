import type { CheckResult } from '../../schemas/results.ts';
import { figure } from '../figures.ts';
import { markup, type Markup } from './markup.ts';
import { said, saidBy } from './said.ts';

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
  const [allKept, allMade] = [exchanges.length, Math.max(exchangesMade, exchanges.length)];
  return saidBy((language) => {
    const [kept, made] = [figure(allKept, language), figure(allMade, language)];
    const words = shownWords[language];
    if (shown < allKept) return words.cut(figure(shown, language), kept);
    if (allKept === allMade) return kept;
    return state === 'passed' ? words.sample(kept, made) : words.failing(kept, made);
  });
}

const shownWords = {
  en: {
    cut: (shown: string, kept: string) =>
      `the last ${shown} of ${kept}; the others are in results.json: they would make this page too large`,
    sample: (kept: string, made: string) => `a sample: ${kept} of ${made}`,
    failing: (kept: string, made: string) => `${kept} of the failing case; the check made ${made}`,
  },
  'pt-BR': {
    cut: (shown: string, kept: string) =>
      `as últimas ${shown} de ${kept}; as outras, que tornariam esta página grande demais, estão em results.json`,
    sample: (kept: string, made: string) => `uma amostra: ${kept} de ${made}`,
    failing: (kept: string, made: string) => `${kept} do caso que falhou; a verificação fez ${made}`,
  },
} as const;
