import { figure } from '../figures.ts';
import { exactText, markup, type Markup } from './markup.ts';
import { saidBy } from './said.ts';

/** Bytes that a text of the run may take in the page, escaped: what is longer is shown as far as that, and says so. */
export interface TextRoom {
  /** A text in a block of its own: expected, actual, counterexample, error. */
  readonly block: number;
  /** A text within a line: a reason, a hint, the outcomes of repetitions. */
  readonly line: number;
}

/** As much as anybody reads in a line. */
const longestLine = 2_000;

/** The rooms that a page can give to each of its texts, the widest first. */
export const textRooms: readonly TextRoom[] = [50_000, 10_000, 2_500].map(roomOf);

/** The least of them: it still holds an ordinary finding. */
export const leastRoom: TextRoom = roomOf(600);

function roomOf(block: number): TextRoom {
  return { block, line: Math.min(block, longestLine) };
}

/** A text in a block, exact as far as it is shown. */
export function blockOf(text: string, room: TextRoom, kind = ''): Markup {
  const start = startOf(text, room.block);
  return markup`<pre class="${kind}" tabindex="0">${exactText(start)}</pre>${cutNote(start, text)}`;
}

/** A text within a line. */
export function lineOf(text: string, room: TextRoom): Markup {
  const start = startOf(text, room.line);
  return markup`${start}${cutNote(start, text)}`;
}

function cutNote(start: string, text: string): Markup | undefined {
  if (start.length === text.length) return undefined;
  return markup` <span class="note cut">${saidBy((language) => {
    const [shown, all] = [figure(start.length, language), figure(text.length, language)];
    return language === 'en'
      ? `… the first ${shown} of ${all} characters; the others are in results.json`
      : `… os primeiros ${shown} de ${all} caracteres; os outros estão em results.json`;
  })}</span>`;
}

/** The start of a text that takes no more than so many bytes in the page; the whole text where it is not longer. */
function startOf(text: string, bytes: number): string {
  let [left, end] = [bytes, 0];
  for (const character of text) {
    left -= bytesOf(character);
    if (left < 0) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

/** What no eye can see, beyond ASCII. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u{a0}]/u;

/** Bytes that a character takes in the page: as a reference, as it is, or as a mark of its own, which most runs share. */
function bytesOf(character: string): number {
  if (/[&<>"']/.test(character)) return 5;
  if (/[ -~]/.test(character)) return 1;
  return unseen.test(character) ? longestMark : Buffer.byteLength(character);
}

const longestMark = Buffer.byteLength(exactText('\r').html);
