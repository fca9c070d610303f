import type { Results } from '../schemas/results.ts';
import { withStands, type SecretMatcher } from '../trace/secrets/matcher.ts';
import type { Language } from './language.ts';

/** The last search of what is about to be written. */
export type LastSearch = Pick<SecretMatcher, 'sought' | 'find'>;

/** A secret that all masks had missed: the file that was about to be written with it, and what stands for it. */
export type Leak = NonNullable<Results['defects']>[number];

/** A text with what stands for each secret that is in it, and which those are. */
export interface Mended {
  readonly text: string;
  readonly secrets: readonly string[];
}

/** A text without the secrets that a search finds in it. */
export function mended(text: string, search: LastSearch | undefined): Mended {
  const found = search?.find(text) ?? [];
  if (found.length === 0) return { text, secrets: [] };
  return { text: withStands(text, found), secrets: [...new Set(found.map(({ stand }) => stand))] };
}

/** What leaks that were mended are told as: a sentence for each secret. */
export function leakTexts(leaks: readonly Leak[], language: Language = 'en'): readonly string[] {
  return [...Map.groupBy(leaks, ({ secret }) => secret)].map(([secret, own]) => {
    const files = own.map(({ file }) => file).join(', ');
    return sentences[language](secret, files);
  });
}

const sentences: Readonly<Record<Language, (secret: string, files: string) => string>> = {
  en: (secret, files) =>
    `A defect of the suite: its masks had missed ${secret} in ${files}, where the last search replaced it. ` +
    'The verdict is not touched by that; please report it.',
  'pt-BR': (secret, files) =>
    `Um defeito da suíte: suas máscaras não tinham visto ${secret} em ${files}, onde a última busca o substituiu. ` +
    'O veredito não é afetado; por favor, relate o caso.',
};
