import { markup, type Content, type Markup } from './markup.ts';

/** The languages of the page's own words. */
export const languages = ['en', 'pt-BR'] as const;

/** A label in both languages. The page's script shows the chosen one; without script both are there to read. */
export function said(english: Content, portuguese: Content): Markup {
  return markup`<span class="said"><span lang="en">${english}</span><span lang="pt-BR">${portuguese}</span></span>`;
}
