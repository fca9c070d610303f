import { codePointsOf } from '../../schemas/values.ts';
import { firstDifference, isLookAlike, type Span } from './difference.ts';
import { blockOf, type TextRoom } from './long-text.ts';
import { exactPiece, lastBreak, markup, type Content, type Markup } from './markup.ts';
import { said, saidCount } from './said.ts';

/** One of two texts that stand beside each other, and what it is in the language of the reader. */
export interface Side {
  readonly label: Markup;
  readonly text: string;
  /** What it is coloured as. */
  readonly kind: 'expected' | 'actual';
  /** The same in Portuguese, where that is another. */
  readonly portuguese?: string | undefined;
}

/** Two texts beside one another, the first difference of them marked, and its code points where they look alike. */
export function comparedBlock(one: Side, other: Side, room: TextRoom): Markup {
  const english = firstDifference(one.text, other.text);
  const portuguese = firstDifference(portugueseOf(one), portugueseOf(other));
  return markup`<dl class="compared">
${sideOf(one, [english?.one, portuguese?.one], room)}
${sideOf(other, [english?.other, portuguese?.other], room)}
</dl>
${codePointsNote(one.text, other.text)}`;
}

function portugueseOf({ text, portuguese = text }: Side): string {
  return portuguese;
}

/** A side with what is marked of it in each language. */
function sideOf(side: Side, [inEnglish, inPortuguese]: readonly (Span | undefined)[], room: TextRoom): Markup {
  const { label, text, kind } = side;
  const english = textBlock(text, inEnglish, kind, room);
  const portuguese = portugueseOf(side);
  const block = portuguese === text ? english : inBoth(english, textBlock(portuguese, inPortuguese, kind, room));
  return markup`<div><dt>${label}</dt><dd>${block}</dd></div>`;
}

/** A block in each language; where there is no script, one below the other. */
function inBoth(english: Markup, portuguese: Markup): Markup {
  return markup`<div class="said"><div lang="en">${english}</div><div lang="pt-BR">${portuguese}</div></div>`;
}

/** Characters that are shown unfolded; what begins with a line of its own is folded behind that. */
const longestUnfolded = 600;
const longestStart = 120;

/** A text in a block of its own, folded behind its start where it is long. */
export function textBlock(text: string, span: Span | undefined, kind: string, room: TextRoom): Markup {
  const isWhole = span !== undefined && text.length <= room.block;
  const block = isWhole ? markedBlock(text, span, kind) : blockOf(text, room, kind);
  if (text.length <= longestUnfolded) return block;
  const start = text.slice(0, longestStart).replaceAll(/\s+/g, ' ');
  const size = saidCount(text.length, { en: ['character', 'characters'], 'pt-BR': ['caractere', 'caracteres'] });
  return markup`<details class="long"><summary><code>${start}…</code> <span class="note">${size}</span></summary>${block}</details>`;
}

function markedBlock(text: string, { start, end }: Span, kind: string): Markup {
  const pieces: Content = [
    exactPiece(text.slice(0, start)),
    markup`<mark>${exactPiece(text.slice(start, end))}</mark>`,
    exactPiece(text.slice(end)),
    lastBreak(text),
  ];
  return markup`<pre class="${kind}" tabindex="0">${pieces}</pre>`;
}

/** Code points that are told of each of two texts that look alike. */
const mostPoints = 6;

/** What tells two texts apart that look alike. */
function codePointsNote(one: string, other: string): Markup | undefined {
  const difference = firstDifference(one, other);
  if (!difference) return undefined;
  const [first, second] = [one.slice(difference.one.start), other.slice(difference.other.start)];
  if (
    !isLookAlike(
      one.slice(difference.one.start, difference.one.end),
      other.slice(difference.other.start, difference.other.end),
    )
  )
    return undefined;
  return markup`<p class="note code-points">${said('They look alike. Code points from the first difference on', 'Parecem iguais. Pontos de código a partir da primeira diferença')}: <code>${codePointsOf(first, mostPoints)}</code> / <code>${codePointsOf(second, mostPoints)}</code></p>`;
}
