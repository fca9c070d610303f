import type { Clause } from '../contract/clause.ts';
import type { Phrase } from './language.ts';

/** How binding a clause is, in words. */
export const levelPhrases: Readonly<Record<Clause['level'], Phrase>> = {
  must: { en: 'must', 'pt-BR': 'obrigatória' },
  should: { en: 'should', 'pt-BR': 'recomendada' },
  implied: { en: 'implied', 'pt-BR': 'implícita' },
};
