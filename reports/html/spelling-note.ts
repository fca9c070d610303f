import { markup, type Markup } from './markup.ts';
import { said } from './said.ts';

/** Says of an exact text in which something is spelt out that a copy has the spelling; `undefined` of one that copies exactly. */
export function spellingNote(shown: Markup): Markup | undefined {
  // Text is escaped, so that only a spelling of ours has this tag.
  if (!shown.html.includes('<span class="spelt">')) return undefined;
  const example = markup`<code>\\u{0}</code>`;
  return markup`<p class="note">${said(
    markup`Characters that no eye can see, or that a page can’t hold, are spelt out here, such as ${example}: a copy has the spelling, not the character.`,
    markup`Caracteres que não se veem, ou que a página não pode conter, estão aqui por extenso, como ${example}: a cópia leva a grafia, não o caractere.`,
  )}</p>`;
}
