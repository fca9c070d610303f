import { folding } from './words.ts';

/** Replaces secrets in a text. */
export type Mask = (text: string) => string;

/**
 * A mask that looks at the same text once: headers, paths and sentences come up in many exchanges, and all of it twice. It
 * remembers `most` texts, and then begins anew.
 */
export function remembering(mask: Mask, most = 50_000): Mask {
  const seen = new Map<string, string>();
  return (text) => {
    const known = seen.get(text);
    if (known !== undefined) return known;
    const masked = mask(text);
    if (seen.size >= most) seen.clear();
    seen.set(text, masked);
    return masked;
  };
}

/** How far a text is read beyond what is shown of it: farther than any secret reaches that begins there, however it is written. */
const readBeyond = 16 * 1024;

/**
 * The masked start of a text, of at least as many characters as are shown of it; the whole where it has fewer. To look through
 * the rest of a long one takes long, and shows nowhere.
 */
export function maskedStart(text: string, mask: Mask, longest: number): string {
  const start = text.slice(0, longest + 2 * readBeyond);
  const masked = mask(start);
  const isEnough = start.length === text.length || masked.length >= longest + readBeyond;
  return isEnough ? masked : mask(text);
}

/** A word, a number or a single other character of a text, as it is compared, and where it stands. */
interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

type Kind = 'letter' | 'digit' | 'blank' | 'alone' | 'nothing';

/**
 * The words and numbers of a text, with what stands between them, in lower case and without accents. It reads what is escaped: by JSON,
 * XML and percent, also where that is escaped once more. White space is one blank, however much of it.
 */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let word = '';
  let kind: Kind = 'nothing';
  let start = 0;
  let end = 0;
  const flush = (): void => {
    if (word !== '') tokens.push({ text: kind === 'blank' ? ' ' : word, start, end });
    word = '';
  };
  for (let at = 0; at < text.length;) {
    const read = characterAt(text, at);
    const compared = folding(read.character);
    const found = kindOf(compared);
    if (found !== 'nothing') {
      if (found !== kind || found === 'alone') flush();
      if (word === '') start = at;
      word += compared;
      kind = found;
    }
    // A mark behind a letter belongs to it.
    at = read.end;
    end = at;
  }
  flush();
  return tokens;
}

/** A text as its escapes read: those of JSON, XML and percent, also where that is escaped once more. */
export function readOut(text: string): string {
  if (!/[\\&%]/.test(text)) return text;
  const read: string[] = [];
  for (let at = 0; at < text.length;) {
    const { character, end } = characterAt(text, at);
    read.push(character);
    at = end;
  }
  return read.join('');
}

function kindOf(character: string): Kind {
  if (character === '') return 'nothing';
  const code = character.charCodeAt(0);
  if (code >= 0x30 && code <= 0x39) return 'digit';
  if (code >= 0x61 && code <= 0x7a) return 'letter';
  if (code < 0x80) return code <= 0x20 ? 'blank' : 'alone';
  if (/^\s/.test(character)) return 'blank';
  // Scripts without capitals write without blanks: each of their characters stands alone.
  return /^\p{L}/u.test(character) && character.toUpperCase() !== character ? 'letter' : 'alone';
}

/** A character as it is read, and where what it was written as ends. */
interface Read {
  readonly character: string;
  readonly end: number;
}

function characterAt(text: string, at: number): Read {
  const first = text.charAt(at);
  const escaped =
    first === '\\'
      ? ofJson(text, at)
      : first === '&'
        ? ofXml(text, at)
        : first === '%'
          ? ofPercent(text, at)
          : undefined;
  if (escaped) return escaped;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return { character, end: at + character.length };
}

const whitespace = new Set(['n', 'r', 't', 'f', 'b']);

/** Behind any number of backslashes. */
function ofJson(text: string, from: number): Read | undefined {
  let at = from;
  while (at < text.length && at - from < mostBackslashes && text.charAt(at) === '\\') at += 1;
  const next = text.charAt(at);
  if (next === 'u' || next === 'x') {
    const length = next === 'u' ? 4 : 2;
    const unit = hexadecimal(text.slice(at + 1, at + 1 + length), length);
    if (unit !== undefined) return { character: String.fromCharCode(unit), end: at + 1 + length };
  }
  if (whitespace.has(next)) return { character: ' ', end: at + 1 };
  if (next === '') return undefined;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return { character, end: at + character.length };
}

const mostBackslashes = 16;
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** A reference to a character: of XML, and the letters with accents of HTML. */
function ofXml(text: string, from: number): Read | undefined {
  let at = from + 1;
  while (at - from < mostNested && text.startsWith('amp;', at)) at += 4;
  const found = /^(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/i.exec(text.slice(at, at + 10));
  const ampersand = at === from + 1 ? undefined : { character: '&', end: at };
  if (!found) return ampersand;
  const [whole, hex, decimal, name] = found;
  const end = at + whole.length;
  if (name !== undefined) {
    const character = named[name.toLowerCase()] ?? accented(name);
    return character === undefined ? ampersand : { character, end };
  }
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10_ff_ff ? { character: String.fromCodePoint(code), end } : ampersand;
}

const mostNested = 16;

/** The letter of `&eacute;`, without what is on it: it is compared without. */
function accented(name: string): string | undefined {
  return /^[a-z](?:acute|grave|circ|tilde|uml|cedil|ring)$/i.test(name) ? name.charAt(0) : undefined;
}

/** A character of UTF-8 in percents, also of Latin-1. */
function ofPercent(text: string, from: number): Read | undefined {
  const bytes: number[] = [];
  let at = from;
  while (bytes.length < 4 && text.charAt(at) === '%') {
    let digits = at + 1;
    while (digits - at < mostNested && text.startsWith('25', digits)) digits += 2;
    const byte = hexadecimal(text.slice(digits, digits + 2), 2);
    if (byte === undefined) break;
    bytes.push(byte);
    at = digits + 2;
    if (bytes.length === lengthInUtf8(bytes[0] ?? 0)) {
      const character = Buffer.from(bytes).toString('utf8');
      if (!character.includes('\ufffd')) return { character, end: at };
    }
  }
  if (bytes.length === 0) return undefined;
  const first = from + 3;
  return text.startsWith('%25', from)
    ? { character: '%', end: first }
    : { character: String.fromCharCode(bytes[0] ?? 0), end: first };
}

function lengthInUtf8(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

function hexadecimal(text: string, length: number): number | undefined {
  return text.length === length && /^[\da-f]+$/i.test(text) ? Number.parseInt(text, 16) : undefined;
}

/** Longest run of words and marks that is compared at once: what is longer is taken piece by piece. */
const mostTokens = 24;

/** Values by their words: from one place in a value to the next, by the word that follows. */
export interface Values {
  readonly next: Map<string, number>;
  /** What takes the place of a value that ends there. */
  readonly ends: Map<number, string>;
  /** The values as they were added. */
  readonly added: Set<string>;
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
  return { next: new Map(), ends: new Map(), added: new Set() };
}

/** Adds a value, with what takes its place. */
export function addValue({ next, ends, added }: Values, value: string, stand: string): void {
  if (added.has(value)) return;
  added.add(value);
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

/** What stands for something hidden, and is not searched: `$NFE_APP_SECRET`, `… 14 letters ~k7f2`, a token that is told by its length. */
export const standing =
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
