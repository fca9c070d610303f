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
  const [kept, made] = [exchanges.length, Math.max(exchangesMade, exchanges.length)];
  return saidBy((language) => {
    const words = shownWords[language];
    const count = (number: number): string => figure(number, language);
    // Of a check that passed one exchange is shown, however much room there is.
    if (state === 'passed') return shown === made ? count(made) : words.sample(count(shown), count(made));
    const ofCase = kept === made ? count(kept) : words.ofCase(count(kept));
    const told = shown === kept ? ofCase : words.cut(count(shown), ofCase);
    return kept === made ? told : `${told}${words.besides(count(made))}`;
  });
}

const shownWords = {
  en: {
    sample: (shown: string, made: string) => `a sample: ${shown} of ${made}`,
    ofCase: (kept: string) => `${kept} of the failing case`,
    cut: (shown: string, kept: string) =>
      `the last ${shown} of ${kept}; the others are in results.json: they would make this page too large`,
    besides: (made: string) => `; the check made ${made}`,
  },
  'pt-BR': {
    sample: (shown: string, made: string) => `uma amostra: ${shown} de ${made}`,
    ofCase: (kept: string) => `${kept} do caso que falhou`,
    cut: (shown: string, kept: string) =>
      `as últimas ${shown} de ${kept}; as outras, que tornariam esta página grande demais, estão em results.json`,
    besides: (made: string) => `; a verificação fez ${made}`,
  },
} as const;
