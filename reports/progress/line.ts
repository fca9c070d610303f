import { duration, type Language, counted, figure } from '../language.ts';
import { shortened, visible } from '../visible.ts';
import type { AnnouncedFailure } from './tally.ts';

/** How far a run has come. */
export interface Progress {
  /** What is counted. */
  readonly clauseWord: 'must clause' | 'clause';
  readonly clausesDone: number;
  readonly clausesAll: number;
  /** Clauses that failed so far, and those that only warn; known deviations are in neither. */
  readonly failed: number;
  readonly warned: number;
  readonly requests: number;
  readonly elapsedMs: number;
  /** Absent while it is not known. */
  readonly leftMs?: number;
}

/** Colours a piece of text, or leaves it as it is. */
export type Paint = (colour: 'red' | 'yellow' | 'green' | 'dim' | 'bold', text: string) => string;

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

/** The words in which a run tells how far it is. */
const english = {
  done: (done: number, all: number, what: Progress['clauseWord']): string => `${figure(done)} of ${counted(all, what)}`,
  failed: (count: number): string => `${figure(count)} failed`,
  warned: (count: number): string => `${figure(count)} warned`,
  requests: (count: number): string => counted(count, 'request'),
  left: (time: string): string => `about ${time} left`,
  /** What a failed check makes of its clause. */
  verdicts: { failed: 'failed', warned: 'warned', known: 'known' },
};

type ProgressWords = typeof english;

const number = (count: number): string => figure(count, 'pt-BR');
const some = (count: number, one: string, many: string): string => counted(count, one, many, 'pt-BR');

const portuguese: ProgressWords = {
  done(done, all, what) {
    const clauses: readonly [string, string] =
      what === 'clause' ? ['cláusula', 'cláusulas'] : ['cláusula obrigatória', 'cláusulas obrigatórias'];
    return `${number(done)} de ${some(all, ...clauses)}`;
  },
  failed: (count) => some(count, 'falhou', 'falharam'),
  warned: (count) => `${number(count)} com aviso`,
  requests: (count) => some(count, 'requisição', 'requisições'),
  left: (time) => `faltam uns ${time}`,
  verdicts: { failed: 'falhou', warned: 'aviso', known: 'desvio' },
};

/** The words in each language. */
const progressWords: Readonly<Record<Language, ProgressWords>> = { en: english, 'pt-BR': portuguese };

const leastGapMs = 10_000;
/** CI systems end a job that has been silent for about ten minutes. */
const longestSilenceMs = 4 * 60_000;

/**
 * Whether a log gets another line of progress after its last one: once ten seconds have passed and a tenth of the clauses
 * is done, but after four minutes in any case.
 */
export function isLineDue(last: Progress | undefined, now: Progress): boolean {
  if (last === undefined) return true;
  const gapMs = now.elapsedMs - last.elapsedMs;
  const tenths = (10 * (now.clausesDone - last.clausesDone)) / now.clausesAll;
  return gapMs >= longestSilenceMs || (gapMs >= leastGapMs && tenths >= 1);
}
