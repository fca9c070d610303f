import { counted, duration, figure } from '../figures.ts';
import { languages, type Language, type Phrase } from '../language.ts';
import { markup, type Content, type Markup } from './markup.ts';

/**
 * A label in both languages, once where both say the same. The page's script shows the chosen one; without script both
 * are there to read.
 */
export function said(english: Content, portuguese: Content): Markup {
  const [en, pt] = [markup`${english}`, markup`${portuguese}`];
  if (en.html === pt.html) return en;
  return markup`<span class="said"><span lang="en">${en}</span><span lang="pt-BR">${pt}</span></span>`;
}

/** A phrase in both languages. */
export function saidPhrase(phrase: Phrase): Markup {
  return said(phrase.en, phrase['pt-BR']);
}

/** What a function says, in both languages. */
export function saidBy(words: (language: Language) => Content): Markup {
  const [english, portuguese] = languages.map(words);
  return said(english, portuguese);
}

/** A count, its digits in groups as each language has them. */
export function saidFigure(count: number): Markup {
  return saidBy((language) => figure(count, language));
}

/** A noun for one and for many in each language: `['case', 'cases']`. */
export type Nouns = Readonly<Record<Language, readonly [one: string, many: string]>>;

/** A count with its noun, in both languages. */
export function saidCount(count: number, nouns: Nouns): Markup {
  return saidBy((language) => counted(count, ...nouns[language], language));
}

/** A span of time in milliseconds, in both languages. */
export function saidDuration(milliseconds: number): Markup {
  return saidBy((language) => duration(milliseconds, language));
}

/** How many of how many, in both languages. */
export function saidPart(part: number, whole: number): Markup {
  return said(`${figure(part)} of ${figure(whole)}`, `${figure(part, 'pt-BR')} de ${figure(whole, 'pt-BR')}`);
}
