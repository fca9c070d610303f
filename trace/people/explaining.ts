import { shownLink, piecesOf, type View } from './veil.ts';
import { readOut } from './words-mask.ts';
import { digitsIn, isPlatformCode } from './looks.ts';
import { isDigit } from '../secrets/reading.ts';
import { isKnownWord, isOfContract } from './words.ts';

/** A piece of a text that is yet to be looked at, or one of which that is done. */
interface Part {
  readonly text: string;
  readonly isDone: boolean;
}

type Step = (text: string, view: View) => Part[];

/**
 * A text that explains, such as a `message`: shown but for people that are known, numbers of eight digits and more, what stands in
 * quotes, addresses of mail, what reads like an id or a token, and words that read like a name: several in capitals
 * side by side that no server and no tax authority writes so.
 */
export function shownExplanation(text: string, view: View): string {
  if (view.isOwn(text)) return text;
  // A name that is escaped is no word: the text is judged as it reads, and stays as it is written where nothing is hidden.
  const plain = readOut(text);
  const read = view.known(plain);
  const shown = isName(read.trim()) ? view.hide(read) : through(read, view, explanationSteps);
  return shown === plain ? text : shown;
}

/** A text of which only words that are known are shown, short numbers, and what stands between them. */
export function shownWords(text: string, view: View): string {
  if (view.isOwn(text)) return text;
  return through(text, view, [aroundStands, aroundNumbers, aroundUnknown]);
}

function through(text: string, view: View, steps: readonly Step[]): string {
  const start: readonly Part[] = [{ text, isDone: false }];
  return steps
    .reduce((parts, step) => joined(parts.flatMap((part) => (part.isDone ? [part] : step(part.text, view)))), start)
    .map((part) => part.text)
    .join('');
}

/** The parts, with those as one that are side by side and yet to be looked at: a name may reach from one to the next. */
function joined(parts: readonly Part[]): Part[] {
  const found: Part[] = [];
  let waiting: string[] = [];
  const flush = (): void => {
    if (waiting.length > 0) found.push({ text: waiting.join(''), isDone: false });
    waiting = [];
  };
  for (const part of parts) {
    if (part.isDone) {
      flush();
      found.push(part);
    } else waiting.push(part.text);
  }
  flush();
  return found;
}

const done = (text: string): Part => ({ text, isDone: true });
const open = (text: string): Part => ({ text, isDone: false });

function aroundStands(text: string, { stands }: View): Part[] {
  return piecesOf(text, stands).map(({ text: piece, isStand }) => (isStand ? done(piece) : open(piece)));
}

/** What closes each quote. */
const quotes: Readonly<Record<string, string>> = {
  '"': '"',
  '\u201c': '\u201d',
  '\u201d': '\u201d',
  '\u201e': '\u201c\u201d',
  '\u2018': '\u2019',
  '\u201a': '\u2018\u2019',
  "'": "'\u2019",
  '`': "`'\u00b4",
  '\u00b4': '\u00b4',
  '\u00ab': '\u00bb',
  '\u00bb': '\u00ab\u00bb',
  '\u2039': '\u203a',
  '\u203a': '\u2039\u203a',
  '\uff02': '\uff02',
  '\u300c': '\u300d',
  '\u300e': '\u300f',
};

/** Quotes that are apostrophes as well: within a word they open and close nothing. */
const apostrophes = new Set(["'", '\u2018', '\u2019', '`', '\u00b4']);

/** A quote that is never closed reaches to the end of the text. */
const aroundQuotes: Step = (text, view) => {
  const parts: Part[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const closing = quotes[text.charAt(at)];
    if (closing === undefined || (apostrophes.has(text.charAt(at)) && isLetterAt(text, at - 1))) continue;
    const end = closedAt(text, at + 1, closing);
    const content = text.slice(at + 1, end);
    const isShown = view.isOwn(content) || isOfContract(content);
    parts.push(open(text.slice(from, at)), done(text.charAt(at) + (isShown ? content : view.hide(content))));
    from = end;
    if (end < text.length) {
      parts.push(done(text.charAt(end)));
      from = end + 1;
    }
    at = end;
  }
  return [...parts, open(text.slice(from))];
};

function closedAt(text: string, from: number, closing: string): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (closing.includes(character) && !(apostrophes.has(character) && isLetterAt(text, at + 1))) return at;
  }
  return text.length;
}

function isLetterAt(text: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(text.charAt(at));
}

/** Runs without a blank that are addresses, links, paths, ids: judged whole. */
const aroundChunks: Step = (text, view) => text.split(/(\s+)/).map((chunk) => shownChunk(chunk, view));

function shownChunk(chunk: string, view: View): Part {
  if (chunk.length > longestChunk) return done(view.hide(chunk));
  const [start, end] = coreOf(chunk);
  const core = chunk.slice(start, end);
  if (core.includes('://')) return done(chunk.slice(0, start) + shownLink(core, view) + chunk.slice(end));
  if (view.isOwn(core) || (core.startsWith('/') && isPathOfContract(core, view))) return done(chunk);
  return isPersonal(core) ? done(chunk.slice(0, start) + view.hide(core) + chunk.slice(end)) : open(chunk);
}

/** Where a chunk begins and ends without the brackets and stops around it. */
function coreOf(chunk: string): [number, number] {
  let [start, end] = [0, chunk.length];
  while (start < end && '([{<,;:'.includes(chunk.charAt(start))) start += 1;
  while (end > start && ')]}>,;:.!?'.includes(chunk.charAt(end - 1))) end -= 1;
  return [start, end];
}

const longestChunk = 400;

/** An address of mail, and letters and digits mixed to a long word. */
function isPersonal(chunk: string): boolean {
  if (chunk.includes('@')) return true;
  const isMixed = /\d/.test(chunk) && /\p{L}/u.test(chunk);
  return isMixed && chunk.length >= 12 && !chunk.split(/[^\p{L}\p{N}]+/u).every((word) => word.length < 8);
}

function isPathOfContract(path: string, { isOwn }: View): boolean {
  return path
    .split('/')
    .every((piece) => piece === '' || isOfContract(piece) || isOwn(piece) || /^\d{1,5}$/.test(piece));
}

/** Most of what may stand between two digits of one number. */
const mostBetween = 2;
const separators = new Set(' .-/()+:_,\u00a0\u2013'.split(''));

/** Numbers of eight digits and more, also as tax numbers, telephones and dates are written. */
const aroundNumbers: Step = (text, view) => {
  const parts: Part[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (!isDigit(text.charCodeAt(at))) continue;
    const end = endOfNumber(text, at);
    const number = text.slice(at, end);
    if (isLong(number) && !view.isOwn(number) && !isPlatformCode(number)) {
      parts.push(open(text.slice(from, at)), done(view.hide(number)));
      from = end;
    }
    at = end - 1;
  }
  return [...parts, open(text.slice(from))];
};

function isLong(number: string): boolean {
  return digitsIn(number) >= 8 || /^\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}$/.test(number);
}

/** Where a number ends, with the digits that are set apart within it; a code of the platform is a number by itself. */
function endOfNumber(text: string, from: number): number {
  let end = endOfDigits(text, from);
  if (isPlatformCode(text.slice(from, end))) return end;
  for (let at = end; at < text.length && at - end <= mostBetween; at += 1) {
    if (isDigit(text.charCodeAt(at))) {
      const next = endOfDigits(text, at);
      if (isPlatformCode(text.slice(at, next))) return end;
      end = next;
      at = next - 1;
    } else if (!separators.has(text.charAt(at))) break;
  }
  return end;
}

function endOfDigits(text: string, from: number): number {
  let end = from;
  while (end < text.length && isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

/** Words that stand between the words of a name. */
const connecting = new Set(['da', 'de', 'di', 'do', 'das', 'dos', 'du', 'del', 'e', 'van', 'von', 'der', 'y', "d'"]);

/** Words side by side that begin with a capital: from the first to the last of them that nobody but a person has. */
const aroundNames: Step = (text, view) => {
  const words = [...text.matchAll(/\p{L}[\p{L}\p{M}'\u2019.-]*/gu)].map(({ 0: word, index }) => ({ word, index }));
  const parts: Part[] = [];
  let from = 0;
  for (let first = 0; first < words.length;) {
    const run = runFrom(words, first, text);
    const unknown = run.filter(({ word }) => isCapital(word) && !isKnown(word));
    const [start, last] = [unknown[0], unknown.at(-1)];
    if (start && last && unknown.length > 1) {
      const end = last.index + last.word.length;
      parts.push(done(text.slice(from, start.index)), done(view.hide(text.slice(start.index, end))));
      from = end;
    }
    first += Math.max(1, run.length);
  }
  return [...parts, done(text.slice(from))];
};

interface Word {
  readonly word: string;
  readonly index: number;
}

function runFrom(words: readonly Word[], first: number, text: string): readonly Word[] {
  const run: Word[] = [];
  for (let at = first; at < words.length; at += 1) {
    const word = words[at];
    const before = run.at(-1);
    if (!word) break;
    if (before && !isBetweenNames(text.slice(before.index + before.word.length, word.index))) break;
    if (!isCapital(word.word) && !(run.length > 0 && connecting.has(word.word))) break;
    run.push(word);
  }
  return run;
}

/** `Maria Lima`, and `Lima, Maria`. */
function isBetweenNames(text: string): boolean {
  return text.trim() === '' || text.trim() === ',';
}

function isCapital(word: string): boolean {
  return /^\p{Lu}/u.test(word);
}

const explanationSteps: readonly Step[] = [aroundStands, aroundQuotes, aroundChunks, aroundNumbers, aroundNames];

/** Whether a text is a single word that only a name can be. */
function isName(text: string): boolean {
  return text.length <= longestChunk && /^\p{Lu}[\p{L}\p{M}'\u2019.-]*$/u.test(text) && !isKnown(text);
}

function isKnown(word: string): boolean {
  return word.split(/[^\p{L}]+/u).every((part) => part === '' || isKnownWord(part));
}

/** Words that are not known, those side by side as one. */
const aroundUnknown: Step = (text, view) => {
  const parts: Part[] = [];
  // Where a run of hidden words begins, or -1.
  let from = -1;
  const flush = (end: number): void => {
    if (from === -1) return;
    const run = text.slice(from, end);
    const length = lengthWithoutJoints(run);
    parts.push(done(view.hide(run.slice(0, length))), done(run.slice(length)));
    from = -1;
  };
  for (const { 0: token, index } of text.matchAll(/[\p{L}\p{M}\p{N}_]+|[^\p{L}\p{M}\p{N}_]+/gu)) {
    const isWord = /^[\p{L}\p{M}\p{N}_]/u.test(token);
    const before = text.charAt(index - 1);
    const isJoined = from !== -1 && before !== ' ' && joints.has(before);
    if (isWord && (isJoined || !isWordShown(token, view))) from = from === -1 ? index : from;
    else if (isWord || from === -1 || !/^[ '\u2019&@._+/%\\-]{1,3}$/.test(token)) {
      flush(index);
      parts.push(done(token));
    }
  }
  flush(text.length);
  return parts;
};

/** What may stand between the words of one name, address or number. */
const joints = new Set(" '\u2019&@.-_+/%\\");

function lengthWithoutJoints(text: string): number {
  let length = text.length;
  while (length > 0 && joints.has(text.charAt(length - 1))) length -= 1;
  return length;
}

function isWordShown(word: string, { isOwn }: View): boolean {
  return /^\d{1,5}$/.test(word) || isKnownWord(word) || /^v\d{1,2}$/.test(word) || isOwn(word) || isOfContract(word);
}
