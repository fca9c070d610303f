import { duration } from '../figures.ts';
import type { Language } from '../language.ts';
import type { Paint } from '../terminal/paint.ts';
import { shortened, visible } from '../visible.ts';
import type { Progress } from './progress.ts';
import type { AnnouncedFailure } from './tally.ts';
import { progressWords } from './words.ts';

/** A part of the line; of the parts that do not fit, those of the highest rank are left out. */
interface Part {
  readonly text: string;
  readonly rank: number;
  readonly colour?: 'red' | 'yellow';
}

const longestTitle = 200;

/** The progress in one line of at most `width` characters, colours not counted. */
export function progressLine(progress: Progress, paint: Paint, width = Infinity, language: Language = 'en'): string {
  const parts = fitting(partsOf(progress, language), width);
  const colours = parts.map(({ text, colour }) => (colour ? paint(colour, text) : text));
  return parts.length > 0 ? colours.join(', ') : shortHead(progress).slice(0, Math.max(0, width));
}

/** A check that failed, in one line: what that makes of its clause, the clause, the title of the check. */
export function failureLine(
  { verdict, clause, title }: AnnouncedFailure,
  paint: Paint,
  language: Language = 'en',
): string {
  const words = progressWords[language].verdicts;
  const word = words[verdict].padEnd(words.failed.length);
  const head = verdict === 'known' ? word : paint(verdict === 'failed' ? 'red' : 'yellow', word);
  return `${head}  ${clause}  ${visible(shortened(title, longestTitle))}`;
}

function partsOf(progress: Progress, language: Language): Part[] {
  const words = progressWords[language];
  const { clauseWord, clausesDone, clausesAll, failed, warned, requests, elapsedMs, leftMs } = progress;
  return [
    { text: words.done(clausesDone, clausesAll, clauseWord), rank: 0 },
    ...(failed > 0 ? [{ text: words.failed(failed), rank: 1, colour: 'red' as const }] : []),
    ...(warned > 0 ? [{ text: words.warned(warned), rank: 5, colour: 'yellow' as const }] : []),
    { text: words.requests(requests), rank: 4 },
    { text: wholeSeconds(elapsedMs), rank: 3 },
    ...(leftMs === undefined ? [] : [{ text: words.left(roughly(leftMs)), rank: 2 }]),
  ];
}

function fitting(parts: readonly Part[], width: number): readonly Part[] {
  const length = parts.map(({ text }) => text).join(', ').length;
  if (length <= width || parts.length === 0) return parts;
  const last = Math.max(...parts.map(({ rank }) => rank));
  return fitting(
    parts.filter(({ rank }) => rank !== last),
    width,
  );
}

function shortHead({ clausesDone, clausesAll }: Progress): string {
  return `${clausesDone}/${clausesAll}`;
}

/** No tenths: they would flicker. */
function wholeSeconds(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : duration(seconds * 1000);
}

/** As exact as a guess can be: steps of five seconds, then whole minutes. */
function roughly(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 5000) * 5;
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : duration(minutes * 60_000);
}
