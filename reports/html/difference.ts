import { codePointsOf, sharedStart } from '../../schemas/values.ts';
import { blockOf, type TextRoom, said, saidCount } from './words.ts';
import { exactPiece, lastBreak, markup, type Content, type Markup } from './markup.ts';
import { isAnswer } from '../findings/breaks.ts';

/** One of two texts that stand beside each other, and what it is in the language of the reader. */
interface Side {
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

/** Where two texts first differ: the piece of each that is to be marked, from and to in UTF-16 units. */
interface Difference {
  readonly one: Span;
  readonly other: Span;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Characters that two texts begin with alike, and the share of the shorter one, before anybody compares them: else they are about different things. */
const leastShared = { characters: 8, share: 0.3 };
/** The same of values that are quoted: these are compared rather. */
const leastOfValues = 3;

/**
 * The first difference of two texts that can be compared: two answers, two texts that begin alike, or values that are quoted in them.
 * `undefined` where the one describes and the other shows.
 */
export function firstDifference(one: string, other: string): Difference | undefined {
  if (one === other) return undefined;
  const shared = sharedStart(one, other);
  if (isComparable(one, other, shared) || (isAnswer(one) && isAnswer(other))) return differenceAt(one, other, shared);
  for (const quoted of valuesIn(one)) {
    for (const given of valuesIn(other)) {
      const [text, came] = [textAt(one, quoted), textAt(other, given)];
      const alike = sharedStart(text, came);
      if (text === came || (alike < leastOfValues && !isLookAlike(text, came))) continue;
      const { one: first, other: second } = differenceAt(text, came, alike);
      return { one: moved(first, quoted.start), other: moved(second, given.start) };
    }
  }
  return undefined;
}

function isComparable(one: string, other: string, shared: number): boolean {
  const { characters, share } = leastShared;
  const isOneValue = !/\s/.test(one) && !/\s/.test(other);
  return isOneValue || (shared >= characters && shared >= share * Math.min(one.length, other.length));
}

/** Whether two different texts look the same, or so nearly that nobody sees it: by form, by width, by invisible characters, by letters of another script. */
export function isLookAlike(one: string, other: string): boolean {
  return one !== other && looksOf(one) === looksOf(other);
}

/** What a text looks like. */
function looksOf(text: string): string {
  const plain = text.normalize('NFKC').replace(/[\p{Cf}\p{Cc}]/gu, '');
  return plain
    .replace(/\s+/gu, ' ')
    .replace(/./gsu, (character) => twins.get(character) ?? character)
    .trim();
}

/** Letters of other scripts, and marks, each with the one that it is taken for. */
const twins: ReadonlyMap<string, string> = new Map(
  [
    'аaеeоoрpсcуyхxіiѕsјjԁdһhАAВBЕEКKМMНHОOРPСCТTУYХXІIЅSЈJ',
    'αaοoνvρpΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX',
    '‘\'’\'“"”"–-—-‐-‑-−-ıi',
  ].flatMap((pairs) =>
    Array.from(pairs).flatMap((twin, at, all) => (at % 2 === 0 ? [[twin, all[at + 1] ?? twin] as const] : [])),
  ),
);

/** A piece of a text: the word in which the difference stands, or, in what has no words, some characters from it on. */
function differenceAt(one: string, other: string, shared: number): Difference {
  return { one: wordAt(one, shared), other: wordAt(other, shared) };
}

/** Characters that are marked at most where they are no word of their own. */
const longestMark = 24;

function wordAt(text: string, at: number): Span {
  let start = at;
  while (start > 0 && at - start < longestMark && isOfWord(text[start - 1])) start -= 1;
  // Of what has no end in sight only the place itself is marked.
  if (at - start === longestMark) start = at;
  let end = at;
  while (end < text.length && end - start < 2 * longestMark && isOfWord(text[end])) end += 1;
  const whole = text.codePointAt(at) ?? 0;
  return { start, end: Math.min(text.length, Math.max(end, at + (whole > 0xffff ? 2 : 1))) };
}

/** Whether a unit is part of a word; half of a pair is. */
function isOfWord(unit = ''): boolean {
  return /^[\p{L}\p{M}\p{N}\p{Cs}_-]$/u.test(unit);
}

/** Values of each text that are compared, and how far it is looked through for them: a hostile text holds any number. */
const mostValues = 10;
const longestCompared = 20_000;

/** Values that are quoted in a text. */
function valuesIn(text: string): readonly Span[] {
  const values: Span[] = [];
  let start = -1;
  for (let at = 0; at < Math.min(text.length, longestCompared) && values.length < mostValues; at += 1) {
    if (start >= 0 && text[at] === '\\') at += 1;
    else if (text[at] === '"') {
      if (start >= 0 && at > start) values.push({ start, end: at });
      start = start < 0 ? at + 1 : -1;
    }
  }
  return values;
}

function textAt(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}

function moved({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}
