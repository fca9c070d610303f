import { visible } from '../visible.ts';

/** A piece of HTML that may stand in a page as it is. Only `markup` makes it, so text can't become markup by accident. */
export interface Markup {
  readonly html: string;
}

/** What a template takes: text is escaped, markup stays, lists are joined, `undefined` is nothing. */
export type Content = Markup | string | number | undefined | readonly Content[];

/** Template tag for HTML: every value is escaped, in text as well as in quoted attributes. */
export function markup(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return { html: strings.map((piece, index) => (index === 0 ? '' : htmlOf(values[index - 1])) + piece).join('') };
}

/** A text for a `pre`, with CR, LF and other invisible characters marked; copying it leaves the marks out. */
export function exactText(text: string): Markup {
  return marked(text, (lineEnd) => (lineEnd.endsWith('\n') ? '\n' : ''));
}

/** The same on one line, whatever stands in the text. */
export function exactLine(text: string): Markup {
  return marked(text, () => '');
}

function marked(text: string, after: (invisible: string) => string): Markup {
  const pieces = text.split(/(\r\n|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}])/u);
  const mark = (invisible: string): Markup =>
    markup`<span class="mark">${visible(invisible)}</span>${after(invisible)}`;
  return markup`${pieces.map((piece, index) => (index % 2 === 0 ? piece : mark(piece)))}`;
}

function htmlOf(value: Content): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return 'html' in value ? value.html : value.map(htmlOf).join('');
}

function escapeHtml(text: string): string {
  return visible(text, '\n').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
