import { visible } from '../visible.ts';

/** A piece of HTML that may stand in a page as it is. Only `markup` makes it, so text can't become markup by accident. */
export interface Markup {
  readonly html: string;
}

/** What a template takes: text is escaped, markup stays, lists are joined, `undefined` is nothing. */
export type Content = Markup | string | number | undefined | readonly Content[];

/** Template tag for HTML: every value is escaped, in text as well as in quoted attributes. */
export function markup(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let html = '';
  // Strings that are added up share what they are made of: joined, each element would copy all that stands in it.
  for (const [index, piece] of strings.entries()) html += (index === 0 ? '' : htmlOf(values[index - 1])) + piece;
  return { html };
}

/**
 * A text for a `pre`. CR, LF and TAB stand in it as they are, each run with a mark that style alone draws, so that a copy has
 * them and not the marks. What else no eye can see is spelt out, and so it is in a copy: a mark that turns the direction of
 * text must not act in the page, a page can't hold NUL or half a surrogate pair, and copying makes a space of U+00A0. After
 * so many marks the rest is spelt out in one piece, with its backslashes as `\u{5c}`, and keeps only its LF.
 */
export function exactText(text: string): Markup {
  return markup`${exactPiece(text)}${lastBreak(text)}`;
}

/** Part of such a text, where more of it follows in the same `pre`. */
export function exactPiece(text: string): Markup {
  return marked(text, inText);
}

/** What such a text ends with: without a `br` behind it browsers leave out the last LF of a `pre` in a copy. */
export function lastBreak(text: string): Markup | undefined {
  return text.endsWith('\n') ? markup`<br>` : undefined;
}

/** The same on one line, whatever stands in the text: CR and LF are spelt out as well. */
export function exactLine(text: string): Markup {
  return marked(text, inLine);
}

/** A piece of an exact text as the page has it: the text itself, or a spelling of what can't stand in the page. */
export interface ShownPiece {
  readonly text: string;
  readonly isSpelt: boolean;
}

/** The exact text of what `exactText` shows. */
export function exactTextOf(pieces: readonly ShownPiece[]): string {
  return pieces.map(({ text, isSpelt }) => (isSpelt ? unspelt(text) : text)).join('');
}

const short: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t' };

/** What a spelling stands for: `\r`, `\n`, `\t` or `\u{1b}` in it are one character each. */
function unspelt(spelling: string): string {
  return spelling.replace(/\\(?:([rnt])|u\{([0-9a-f]{1,6})\})/g, (_, letter?: string, hex?: string) =>
    letter === undefined ? String.fromCodePoint(Number.parseInt(hex ?? '', 16)) : (short[letter] ?? ''),
  );
}

/** How a text is marked. */
interface Marking {
  /** Finds runs of what no eye can see, each as its one group. */
  readonly runs: RegExp;
  /** What such a run begins with where it stands as it is. */
  readonly isReal: RegExp;
  /** What stays in a rest that is spelt out in one piece. */
  readonly keep: string;
}

const inText: Marking = {
  runs: /((?:\r\n)+|\n+|(?:\r(?!\n))+|\t+|(?:(?![\r\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u{a0}])+)/u,
  isReal: /^[\r\n\t]/,
  keep: '\n',
};
const inLine: Marking = { runs: /(\t+|(?:(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u{a0}])+)/u, isReal: /^\t/, keep: '' };

/** So many marks, each with the text before it, cost some 50 kB; a text of evidence could have twenty times as many. */
const mostMarks = 1000;

function marked(text: string, { runs, isReal, keep }: Marking): Markup {
  const pieces = text.split(runs).slice(0, 2 * mostMarks);
  const rest = text.slice(pieces.join('').length);
  const mark = (run: string): Markup => (isReal.test(run) ? realRun(run) : speltOut(run, keep));
  return markup`${pieces.map((piece, index) => (index % 2 === 0 ? piece : mark(piece)))}${rest === '' ? undefined : speltOut(rest, keep)}`;
}

/** A parser reads CR as LF unless it is a reference. */
function realRun(run: string): Markup {
  const real = run.replace(/[\r\t]/g, (character) => `&#${character.charCodeAt(0)};`);
  return markup`<span class="mark" data-mark="${visible(run)}">${{ html: real }}</span>`;
}

function speltOut(text: string, keep: string): Markup {
  const spelt = text.replace(/[\\\u{a0}]/gu, (character) => (character === '\\' ? '\\u{5c}' : '\\u{a0}'));
  return markup`<span class="spelt">${visible(spelt, keep)}</span>`;
}

function htmlOf(value: Content): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return 'html' in value ? value.html : value.reduce<string>((all, one) => all + htmlOf(one), '');
}

function escapeHtml(text: string): string {
  return visible(text, '\n').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
