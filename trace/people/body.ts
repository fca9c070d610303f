import { shownWords } from './explaining.ts';
import { shownJson } from './json.ts';
import { shownMarkup } from './markup.ts';
import { percentDecoded, viewOf, type Allowance, type View, shownTarget } from './veil.ts';
import type { Mask } from './words-mask.ts';
import { foldedText, isSuiteWord, isKnownWord } from './words.ts';
import { shownHeader, shownHeaderName } from './headers.ts';
import { digitsIn } from './looks.ts';

/** The text of a body, and what is said of bytes that were no UTF-8. */
interface Readable {
  readonly text: string;
  /** Absent where they were. */
  readonly readAs?: 'UTF-16' | 'Latin-1';
}

/** The text that a body is; `undefined` of what is none. Many servers write Latin-1, whatever they say. */
export function readableText(rawBody: Buffer): Readable | undefined {
  const text = rawBody.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(rawBody)) return kindOf(rawBody) === undefined ? { text } : undefined;
  const wide = wideText(rawBody);
  if (wide !== undefined) return isText(wide) ? { text: wide, readAs: 'UTF-16' } : undefined;
  const latin1 = rawBody.toString('latin1');
  return isText(latin1) ? { text: latin1, readAs: 'Latin-1' } : undefined;
}

/** Bytes in pairs, by the mark that they begin with. */
function wideText(rawBody: Buffer): string | undefined {
  const [first, second] = rawBody;
  if (first === 0xff && second === 0xfe) return rawBody.toString('utf16le');
  if (first !== 0xfe || second !== 0xff) return undefined;
  return Buffer.from(rawBody.subarray(0, rawBody.length & ~1))
    .swap16()
    .toString('utf16le');
}

/** Whether a text has none of the characters that only programs write. */
function isText(text: string): boolean {
  return !/\p{Cc}/u.test(text.replaceAll(/[\t\r\n\f\u0080-\u009f]/g, ''));
}

/** How files of usual kinds begin. */
const beginnings: readonly (readonly [string, string])[] = [
  ['%PDF-', 'PDF'],
  ['PK\x03\x04', 'ZIP'],
  ['\x1f\x8b', 'gzip'],
  ['\x89PNG', 'PNG'],
  ['\xff\xd8\xff', 'JPEG'],
  ['GIF8', 'GIF'],
  ['\x30\x82', 'DER'],
];

/** What bytes that are no text are, as far as they begin like something: `(PDF, 1234 bytes, not shown)`. */
export function sizeAndKind(rawBody: Buffer): string {
  return `(${kindOf(rawBody) ?? 'no text'}, ${rawBody.length} bytes, not shown)`;
}

function kindOf(rawBody: Buffer): string | undefined {
  const start = rawBody.subarray(0, 8).toString('latin1');
  return beginnings.find(([beginning]) => start.startsWith(beginning))?.[1];
}

/** Texts in texts that are read: what stands deeper is hidden. */
const deepest = 2;

/**
 * The text of a body that was received as evidence shows it: what it is is told by the text itself, whatever its content type says.
 * JSON and markup keep their structure; elsewhere only known words and short numbers are shown.
 */
export function shownBody(text: string, allowance: Allowance): string {
  return allowance.known(shownIn(text, viewOf(allowance)));
}

/** The same, with a view that is told of what is hidden. */
function shownIn(text: string, view: View): string {
  if (view.isOwn(text)) return text;
  const start = text.startsWith('\ufeff') ? 1 : 0;
  return text.slice(0, start) + (shownStructure(text.slice(start), view, 0) ?? shownWords(text.slice(start), view));
}

/** A text by its own structure; `undefined` where it has none. */
function shownStructure(text: string, view: View, depth: number): string | undefined {
  const nested = (value: string): string | undefined =>
    depth < deepest ? shownStructure(value, view, depth + 1) : undefined;
  const start = text.slice(0, longestLead).trimStart();
  const isWhole = depth === 0 && (start.startsWith('"') || start.startsWith('[') || start.startsWith('{'));
  if (isWhole || /^(?:\{\s*["}]|\[\s*["[{\]\d])/.test(start)) return shownJson(text, view, nested);
  return /^<[\p{L}_!?/]/u.test(start) ? shownMarkup(text, view) : undefined;
}

/** White space that may stand before a structure. */
const longestLead = 1_000;

/** What was received, as far as it can hold people. */
export interface Received {
  readonly headers: readonly (readonly [string, string])[];
  readonly rawBody: Buffer;
  /** What stands on the request line of a delivery. */
  readonly target?: string;
}

/** Of one message; and so much of its text is read: no finding tells more of it. */
const most = { values: 5_000, characters: 20_000, text: 500_000 };

/**
 * The values of a message that evidence would not show, with what takes their place: free texts quote answers. The mask hides the secrets that stand in it. What is too short to
 * be anybody's is left out, since any text holds it; so is what is not new.
 */
export function heldBack(
  { headers, rawBody, target }: Received,
  allowance: Allowance,
  mask: Mask = (text) => text,
  isNew: (value: string) => boolean = () => true,
): Map<string, string> {
  const held = new Map<string, string>();
  const told = new Map<string, boolean>();
  const isHeld = (value: string): boolean => {
    const part = partOf(value);
    const isSo = told.get(part) ?? (isNew(part) && isTelling(part));
    told.set(part, isSo);
    return isSo && held.size < most.values;
  };
  const hiding = viewOf(allowance, (value, stand) => {
    if (isHeld(value)) held.set(partOf(value), stand);
  });
  // What takes the place of a value is asked for only where it may be held: of a long one, for what stands further behind.
  const mayBeHeld = (value: string): boolean => value.length > most.characters || isHeld(value);
  const view: View = { ...hiding, hide: (value) => (mayBeHeld(value) ? hiding.hide(value) : '') };
  for (const [name, value] of headers) {
    shownHeaderName(mask(name), view);
    shownHeader(name, mask(value), view);
  }
  if (target !== undefined) shownTarget(mask(target), view);
  const text = readableText(rawBody)?.text;
  if (text !== undefined) shownIn(mask(text.slice(0, most.text)), view);
  return held;
}

function partOf(value: string): string {
  return value.trim().slice(0, most.characters);
}

/** Whether a value can tell of somebody wherever it stands: no few digits, and no words that servers or the suite say anyway. */
function isTelling(value: string): boolean {
  if (/^\d+$/.test(value)) return value.length >= 6;
  const words = foldedText(percentDecoded(value)).match(/\p{L}+/gu) ?? [];
  const isOfWords =
    words.length > 0 && words.every((word) => isKnownWord(word) || isSuiteWord(word)) && digitsIn(value) < 6;
  return value.length >= 3 && /[\p{L}\d]/u.test(value) && !isOfWords;
}
