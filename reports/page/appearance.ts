import type { Language } from '../language.ts';
import { all } from './elements.ts';
import type { Theme } from './fragment.ts';

/** The language of a reader who chose none: Portuguese where the browser is set to it, else English. */
export function browserLanguage(): Language {
  return navigator.language.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en';
}

/** Shows the page's own words in a language; the style hides the other one. */
export function showLanguage(language: Language): void {
  // The page's own language stays English: what it tells of the target, and of the contract, is in no other.
  document.documentElement.dataset['language'] = language;
  for (const option of all(document, '.tools option[data-en]', HTMLOptionElement)) {
    option.lang = language;
    const { en = '', ptBr = '', count } = option.dataset;
    const text = language === 'en' ? en : ptBr;
    option.textContent = count === undefined ? text : `${text} (${count})`;
  }
}

/** Shows the page light, dark, or as the system is set. */
export function showTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
