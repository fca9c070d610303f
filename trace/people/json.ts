import { shownExplanation, shownWords } from './explaining.ts';
import { kindOfField } from './fields.ts';
import { isNameShown, looksLike, digitsIn, isShortNumber } from './looks.ts';
import { shownLink, type View } from './veil.ts';

/** Where a value stands: the name of its field, and that of the field around it. */
interface FieldOf {
  readonly name: string | undefined;
  readonly parent?: string | undefined;
  /** The text ends within the value: it may be the start of anything. */
  readonly isCut?: boolean;
}

/** The text of a value as it is shown, by the field that it stands in. */
export function shownValue(value: string, { name, parent, isCut = false }: FieldOf, view: View): string {
  if (value.trim() === '' || view.stands.has(value)) return value;
  if (view.isOwn(value)) return value;
  const kind = kindOfField(name, parent);
  if (kind === undefined || isCut) return view.hide(value);
  if (kind === 'explaining') return shownExplanation(value, view);
  if (kind === 'phrase') return shownWords(value, view);
  if (kind === 'link') return shownLink(value, view);
  return looksLike(kind, value) ? value : view.hide(value);
}

/** How a text within a text is shown, where it is one to be read. */
type Nested = (value: string) => string | undefined;

/** An object or an array that is open, and the member of it that is being read. */
interface Frame {
  readonly isObject: boolean;
  /** Name of the member that it is the value of; an array's items have that of the array. */
  readonly outer: string | undefined;
  name: string | undefined;
}

/**
 * JSON as it is shown: structure, punctuation and white space as they came, values by allowance. It reads the text piece by piece, so
 * that it may be broken, cut off or have members twice.
 * @param nested Shows what stands in a string where that has a structure of its own; `undefined` where it has none.
 */
export function shownJson(text: string, view: View, nested: Nested): string {
  const out: string[] = [];
  const frames: Frame[] = [];
  let at = 0;
  while (at < text.length) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    const first = token.charAt(0);
    if (first === '"') {
      const isName = isBeforeColon(text, end);
      const content = contentOf(token);
      out.push(isName ? shownName(content, view) : shownString(content, frames, view, nested));
      if (isName) rename(frames, content.value);
    } else if (isStructure(first)) {
      restructure(frames, first);
      out.push(token);
    } else out.push(isBlank(first) ? token : shownBare(token, frames, end === text.length, view));
    at = end;
  }
  return out.join('');
}

const structure = new Set('{}[],:'.split(''));
const isStructure = (character: string): boolean => structure.has(character);
const isBlank = (character: string): boolean =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t';

function endOfToken(text: string, from: number): number {
  const first = text.charAt(from);
  if (first === '"') return endOfString(text, from);
  if (isStructure(first)) return from + 1;
  const isLike = isBlank(first) ? isBlank : (one: string): boolean => one !== '"' && !isStructure(one) && !isBlank(one);
  let end = from + 1;
  while (end < text.length && isLike(text.charAt(end))) end += 1;
  return end;
}

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '"') return at + 1;
  }
  return text.length;
}

function isBeforeColon(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && isBlank(text.charAt(at))) at += 1;
  return text.charAt(at) === ':';
}

/** A string of JSON: as it is written, and what it says. */
interface Content {
  readonly raw: string;
  readonly value: string;
  /** The text ends within it. */
  readonly isCut: boolean;
}

function contentOf(token: string): Content {
  const isCut = token.length < 2 || !token.endsWith('"') || isEscapedAtEnd(token);
  const raw = token.slice(1, isCut ? undefined : -1);
  return { raw, value: unescaped(raw), isCut };
}

/** Whether the quote at the end of a string belongs to it. */
function isEscapedAtEnd(token: string): boolean {
  let at = token.length - 2;
  while (at > 0 && token.charAt(at) === '\\') at -= 1;
  return (token.length - 2 - at) % 2 === 1;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function unescaped(raw: string): string {
  if (!raw.includes('\\')) return raw;
  return raw.replace(/\\(?:u([\da-f]{4})|(.))/gis, (_, unit: string | undefined, character: string = '') =>
    unit === undefined ? (escapes[character] ?? character) : String.fromCharCode(Number.parseInt(unit, 16)),
  );
}

/** The string of that value; as it was written where nothing of it is hidden. */
function written({ raw, value, isCut }: Content, shown: string): string {
  return `"${shown === value ? raw : JSON.stringify(shown).slice(1, -1)}${isCut ? '' : '"'}`;
}

function shownName(content: Content, view: View): string {
  const { value, isCut } = content;
  const isShown = value === '' || (!isCut && isNameShown(value)) || view.isOwn(value) || view.stands.has(value);
  return written(content, isShown ? value : view.hide(value));
}

function shownString(content: Content, frames: readonly Frame[], view: View, nested: Nested): string {
  const { value, isCut } = content;
  const inner = view.isOwn(value) ? undefined : nested(value);
  return written(content, inner ?? shownValue(value, { ...placeIn(frames), isCut }, view));
}

function placeIn(frames: readonly Frame[]): { name: string | undefined; parent: string | undefined } {
  const frame = frames.at(-1);
  return { name: frame?.name, parent: frame?.outer };
}

function rename(frames: readonly Frame[], name: string): void {
  const frame = frames.at(-1);
  if (frame) frame.name = name.length <= longestName ? name : undefined;
}

const longestName = 100;

function restructure(frames: Frame[], mark: string): void {
  const outer = frames.at(-1)?.name;
  const frame = frames.at(-1);
  if (mark === '{') frames.push({ isObject: true, outer, name: undefined });
  else if (mark === '[') frames.push({ isObject: false, outer: frame?.outer, name: outer });
  else if (mark === '}' || mark === ']') frames.pop();
  else if (mark === ',' && frame?.isObject) frame.name = undefined;
}

/**
 * Whether a short number may be a piece of what is somebody's: a birth date as Java writes it, `[1963,11,17]`, or in three members; a
 * telephone in two.
 */
function isPiece(frames: readonly Frame[]): boolean {
  const frame = frames.at(-1);
  return frame !== undefined && (!frame.isObject || namesOfPieces.test(frame.name ?? ''));
}

const namesOfPieces =
  /^(?:ano|mes|dia|year|month|monthValue|day|dayOf\w+|ddd|ddi|prefixo|sufixo|parte\w*|part\w*|bloco\w*)$/i;

const literals = new Set(['true', 'false', 'null']);

/** What stands in no quotes: a literal, a number, or what does not belong there. */
function shownBare(token: string, frames: readonly Frame[], isAtEnd: boolean, view: View): string {
  if (literals.has(token) || view.isOwn(token)) return token;
  if (isAtEnd && frames.length > 0) return view.hide(token);
  const { name, parent } = placeIn(frames);
  const isShort = isShortNumber(token) || (/^-?[\d.]{1,10}$/.test(token) && digitsIn(token) < 6);
  if (isShort && !isPiece(frames)) return token;
  const kind = kindOfField(name, parent);
  return (kind === 'code' || kind === 'count') && looksLike(kind, token) ? token : view.hide(token);
}

/** What the strings and numbers of a JSON say, names of members among them. */
export function jsonStrings(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    if (token.startsWith('"')) found.push(contentOf(token).value);
    else if (/^[-\d]/.test(token)) found.push(token);
    at = end;
  }
  return found;
}
