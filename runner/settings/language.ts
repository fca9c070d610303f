import type { Language, Say } from '../../reports/language.ts';
import { inPortuguese } from '../portuguese/in-portuguese.ts';

/** What `NFE_LANGUAGE` takes, and the language that each word means. */
export const spokenLanguages = { en: 'en', pt: 'pt-BR' } as const satisfies Record<string, Language>;

/** The word for the language of the locale: that of the first variable that says one; English unless it is Portuguese. */
export function wordOfLocale(environment: Readonly<Record<string, string | undefined>>): keyof typeof spokenLanguages {
  const locale = environment['LC_ALL'] || environment['LC_MESSAGES'] || environment['LANG'] || '';
  return /^pt(?![a-z])/i.test(locale) ? 'pt' : 'en';
}

/** The language in which a command speaks before its settings are read, or where they can't be. */
export function languageIn(environment: Readonly<Record<string, string | undefined>>): Language {
  const word = environment['NFE_LANGUAGE'] || wordOfLocale(environment);
  return word === 'pt' ? spokenLanguages.pt : spokenLanguages.en;
}

/** How things are said in a language. */
export function sayIn(language: Language): Say {
  return language === 'en' ? (english) => english : inPortuguese;
}
