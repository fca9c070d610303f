import { sharedStart } from '../../schemas/code-points.ts';
import { isAnswer } from '../findings/breaks.ts';

/** Where two texts first differ: the piece of each that is to be marked, from and to in UTF-16 units. */
export interface Difference {
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
  const before = /[\p{L}\p{M}\p{N}_-]*$/u.exec(text.slice(Math.max(0, at - longestMark), at))?.[0].length ?? 0;
  const behind = /^(?:[\p{L}\p{M}\p{N}_-]+|.)?/su.exec(text.slice(at))?.[0].length ?? 0;
  const start = before < longestMark ? at - before : at;
  return { start, end: Math.min(at + behind, start + 2 * longestMark) };
}

/** Values that are quoted in a text, or all of it where it is one. */
function valuesIn(text: string): readonly Span[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)+)"/gs)].map(({ index, 0: whole }) => ({
    start: index + 1,
    end: index + whole.length - 1,
  }));
}

function textAt(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}

function moved({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}
