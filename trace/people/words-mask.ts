import type { Mask } from '../masking.ts';
import { tokensOf, type Token } from './tokens.ts';

/** Longest run of words and marks that is compared at once: what is longer is taken piece by piece. */
const mostTokens = 24;

/** Values by their words: from one place in a value to the next, by the word that follows. */
export interface Values {
  readonly next: Map<string, number>;
  /** What takes the place of a value that ends there. */
  readonly ends: Map<number, string>;
}

/**
 * A mask that replaces whole values, each by what stands for it: as words and numbers that stand alone, whatever their letter case,
 * their accents and the white space between them, and however they are escaped. Of values that begin alike the longest is
 * taken. The time that it takes does not grow with the number of values.
 */
export function wordsMask(values: ReadonlyMap<string, string>): Mask {
  const known = noValues();
  for (const [value, stand] of values) addValue(known, value, stand);
  return maskOfValues(known);
}

/** A mask of values to which others may be added; those that `isShown` stay. */
export function maskOfValues(known: Values, isShown: (value: string) => boolean = () => false): Mask {
  return (text) => (known.ends.size === 0 ? text : replaced(text, known, isShown));
}

/** No values yet. */
export function noValues(): Values {
  return { next: new Map(), ends: new Map() };
}

/** Adds a value, with what takes its place. */
export function addValue({ next, ends }: Values, value: string, stand: string): void {
  const tokens = trimmed(tokensOf(value));
  if (!tokens.some(({ text }) => /[\p{L}\d]/u.test(text))) return;
  let place = 0;
  for (const [index, { text }] of tokens.entries()) {
    const step = `${place} ${text}`;
    place = next.get(step) ?? next.size + 1;
    next.set(step, place);
    const isEnd = index === tokens.length - 1 || index % mostTokens === mostTokens - 1;
    // What goes on behind a piece needs no stand of its own.
    if (isEnd && !ends.has(place)) ends.set(place, index < mostTokens ? stand : '');
  }
}

/** Without blanks at either end. */
function trimmed(tokens: readonly Token[]): readonly Token[] {
  const isBlank = (token: Token | undefined): boolean => token?.text === ' ';
  const start = isBlank(tokens[0]) ? 1 : 0;
  return tokens.slice(start, isBlank(tokens.at(-1)) ? -1 : undefined);
}

function replaced(text: string, known: Values, isShown: (value: string) => boolean): string {
  const tokens = tokensOf(text);
  const hidden = isHiddenAlready(text);
  const out: string[] = [];
  let from = 0;
  let place = 0;
  for (let at = 0; at < tokens.length;) {
    const start = tokens[at]?.start ?? 0;
    const found = hidden(start)
      ? undefined
      : (longestFrom(place, tokens, at, known) ?? longestFrom(0, tokens, at, known));
    if (found && !isShown(text.slice(start, found.end))) {
      out.push(text.slice(from, start), found.stand);
      from = found.end;
    }
    place = found?.place ?? 0;
    at += found?.count ?? 1;
  }
  return out.length === 0 ? text : out.join('') + text.slice(from);
}

interface Found {
  readonly stand: string;
  readonly end: number;
  /** Where in the values it ends: more of the same may follow. */
  readonly place: number;
  /** How many words and marks it is. */
  readonly count: number;
}

function longestFrom(start: number, tokens: readonly Token[], from: number, { next, ends }: Values): Found | undefined {
  let found: Found | undefined;
  let place = start;
  for (let at = from; at < tokens.length && at - from < mostTokens; at += 1) {
    const token = tokens[at];
    const step = token && next.get(`${place} ${token.text}`);
    if (!token || step === undefined) break;
    place = step;
    const stand = ends.get(place);
    if (stand !== undefined) found = { stand, end: token.end, place, count: at - from + 1 };
  }
  return found;
}

/** What stands for something hidden is not searched: `$NFE_APP_SECRET`, `… 14 letters ~k7f2`, a token that is told by its length. */
const standing =
  /\$[A-Z]+(?:_[A-Z]+)+|\$certificado\.json:[\w-]+|… \d+ (?:letters?|digits?|characters?)(?: ~[\da-z]{4})?|\(another token of \d+ characters\)/g;

/** Whether a place in a text lies within a stand; asked for in the order of the text. */
function isHiddenAlready(text: string): (at: number) => boolean {
  const stands = [...text.matchAll(standing)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
  let current = 0;
  return (at) => {
    while ((stands[current]?.end ?? Infinity) <= at) current += 1;
    return (stands[current]?.start ?? Infinity) <= at;
  };
}
