import { languages, type Language, type Phrase } from '../language.ts';
import { markup, type Content, type Markup } from './markup.ts';

/** A label in both languages. The page's script shows the chosen one; without script both are there to read. */
export function said(english: Content, portuguese: Content): Markup {
  return markup`<span class="said"><span lang="en">${english}</span><span lang="pt-BR">${portuguese}</span></span>`;
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
