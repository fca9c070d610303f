import { duration, type Language, counted, figure, inEnglish, type Speech } from './language.ts';
import { topicOf } from '../contract/catalogue.ts';
import type { CheckOutcome, CheckResult } from '../schemas/results.ts';
import type { FailureVerdict } from './judge.ts';
import { shortened, visible } from './visible.ts';

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
  /** Milliseconds that were waited, of all waits together, for what did not come: a run that stands still says why. */
  readonly pendingMs?: number;
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
  { language, say }: Speech = inEnglish,
): string {
  const words = progressWords[language].verdicts;
  const word = words[verdict].padEnd(words.failed.length);
  const head = verdict === 'known' ? word : paint(verdict === 'failed' ? 'red' : 'yellow', word);
  return `${head}  ${clause}  ${visible(shortened(say(title), longestTitle))}`;
}

function partsOf(progress: Progress, language: Language): Part[] {
  const words = progressWords[language];
  const { clauseWord, clausesDone, clausesAll, failed, warned, requests, elapsedMs, leftMs, pendingMs = 0 } = progress;
  return [
    { text: words.done(clausesDone, clausesAll, clauseWord), rank: 0 },
    ...(failed > 0 ? [{ text: words.failed(failed), rank: 1, colour: 'red' as const }] : []),
    ...(warned > 0 ? [{ text: words.warned(warned), rank: 5, colour: 'yellow' as const }] : []),
    { text: words.requests(requests), rank: 4 },
    { text: wholeSeconds(elapsedMs), rank: 3 },
    ...(pendingMs < leastPendingMs ? [] : [{ text: words.pending(wholeSeconds(pendingMs)), rank: 6 }]),
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
  pending: (time: string): string => `waited ${time} for what has not come`,
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
  pending: (time) => `esperou ${time} pelo que não veio`,
  left: (time) => `faltam uns ${time}`,
  verdicts: { failed: 'falhou', warned: 'aviso', known: 'desvio' },
};

/** The words in each language. */
const progressWords: Readonly<Record<Language, ProgressWords>> = { en: english, 'pt-BR': portuguese };

const leastGapMs = 10_000;
/** CI systems end a job that has been silent for about ten minutes. */
const longestSilenceMs = 4 * 60_000;

/** What is waited less than that is no news. */
const leastPendingMs = 10_000;
/** After so much more that is waited in vain a log says so. */
const pendingGapMs = 60_000;

/**
 * Whether a log gets another line of progress after its last one: once ten seconds have passed and a tenth of the clauses
 * is done or a minute more was waited in vain, but after four minutes in any case.
 */
export function isLineDue(last: Progress | undefined, now: Progress): boolean {
  if (last === undefined) return true;
  const gapMs = now.elapsedMs - last.elapsedMs;
  const tenths = (10 * (now.clausesDone - last.clausesDone)) / now.clausesAll;
  const isWaiting = (now.pendingMs ?? 0) - (last.pendingMs ?? 0) >= pendingGapMs;
  return gapMs >= longestSilenceMs || (gapMs >= leastGapMs && (tenths >= 1 || isWaiting));
}

/** A check that a run is going to make. */
export interface PlannedCheck {
  readonly id: string;
  readonly clause: string;
  /** About how many requests it will send. */
  readonly requests: number;
}

/** A check that failed, as it is announced. */
interface AnnouncedFailure {
  readonly clause: string;
  readonly title: string;
  readonly verdict: FailureVerdict;
}

/** What is known of a run while it is going on. */
export interface Tally {
  /** Ids of the clauses that it counts. */
  readonly clauses: readonly string[];
  /** Names of its spec files, and of those whose checks are known. */
  readonly files: readonly string[];
  readonly readFiles: ReadonlySet<string>;
  readonly checks: ReadonlyMap<string, PlannedCheck>;
  /** Ids of the checks that have ended, and when the last of them did: milliseconds from the start. */
  readonly ended: ReadonlySet<string>;
  readonly lastEndedMs: number;
  /** Every check that failed, once, by clause and title. */
  readonly failures: ReadonlyMap<string, AnnouncedFailure>;
}

/** The tally of a run that is about to begin. */
export function emptyTally(clauses: readonly string[]): Tally {
  return {
    clauses,
    files: [],
    readFiles: new Set(),
    checks: new Map(),
    ended: new Set(),
    lastEndedMs: 0,
    failures: new Map(),
  };
}

/** The tally once a spec file has told its checks; telling them twice changes nothing. */
export function withFile(tally: Tally, file: string, checks: readonly PlannedCheck[]): Tally {
  return {
    ...tally,
    readFiles: new Set([...tally.readFiles, file]),
    checks: new Map([...tally.checks, ...checks.map((check) => [check.id, check] as const)]),
  };
}

/** The tally once a check has ended, so many milliseconds from the start. */
export function withEnded(tally: Tally, id: string, failures: readonly AnnouncedFailure[], elapsedMs: number): Tally {
  return {
    ...tally,
    ended: new Set([...tally.ended, id]),
    lastEndedMs: elapsedMs,
    failures: new Map([...failures.map((failure) => [keyOf(failure), failure] as const), ...tally.failures]),
  };
}

/** The failures among the outcomes of a check that the tally does not have yet: several checks may see one rule fail. */
export function newFailures(
  { failures }: Tally,
  outcomes: readonly CheckOutcome[],
  verdictOf: (clause: string, check: CheckResult) => FailureVerdict,
): AnnouncedFailure[] {
  return outcomes
    .filter(({ result }) => result.state === 'failed')
    .map(({ clause, result }) => ({ clause, title: result.name, verdict: verdictOf(clause, result) }))
    .filter((failure) => !failures.has(keyOf(failure)));
}

/** The clauses that are done: every file of their topic is read, and every check of theirs has ended. */
export function doneClauses({ clauses, files, readFiles, checks, ended }: Tally): readonly string[] {
  const unreadTopics = new Set(files.filter((file) => !readFiles.has(file)).map(topicOf));
  const open = new Set([...checks.values()].filter(({ id }) => !ended.has(id)).map(({ clause }) => clause));
  const checked = new Set([...checks.values()].map(({ clause }) => clause));
  return clauses.filter((id) => checked.has(id) && !open.has(id) && !unreadTopics.has(topicOf(id)));
}

/** How many clauses are done. */
export function clausesDone(tally: Tally): number {
  return doneClauses(tally).length;
}

/** How many clauses a failure has given that verdict. */
export function clausesWith({ failures }: Tally, verdict: FailureVerdict): number {
  const clauses = [...failures.values()].filter((failure) => failure.verdict === verdict).map(({ clause }) => clause);
  return new Set(clauses).size;
}

function keyOf({ clause, title }: AnnouncedFailure): string {
  return `${clause} ${title}`;
}

/** The part of the planned requests after which their time so far foretells the rest alone. */
const tellingRequestsShare = 0.25;

/**
 * About how many milliseconds a run still takes; `undefined` while that is not known, or when it takes longer than it was
 * thought to. The pace (requests a second, 0: none) counts for what is to come as long as little has been done; then what
 * was seen counts alone, waits and failures included: a target may be slower than the pace, and say 429 to all above. It is reckoned when a check ends, and from then on runs down.
 */
export function timeLeftMs(tally: Tally, elapsedMs: number, maxRps: number): number | undefined {
  if (tally.files.length === 0 || !tally.files.every((file) => tally.readFiles.has(file))) return undefined;
  const planned = [...tally.checks.values()];
  const all = sumOf(planned);
  const done = sumOf(planned.filter(({ id }) => tally.ended.has(id)));
  const perRequest = msPerRequest(done, all, tally.lastEndedMs, maxRps);
  if (perRequest === undefined) return undefined;
  const left = (all - done) * perRequest - (elapsedMs - tally.lastEndedMs);
  return left > 0 ? left : undefined;
}

function msPerRequest(done: number, all: number, lastEndedMs: number, maxRps: number): number | undefined {
  const share = all === 0 ? 0 : done / all;
  if (share >= tellingRequestsShare) return lastEndedMs / done;
  if (maxRps === 0) return undefined;
  const told = share / tellingRequestsShare;
  return (1 - told) * (1000 / maxRps) + (done === 0 ? 0 : told * (lastEndedMs / done));
}

function sumOf(checks: readonly { readonly requests: number }[]): number {
  return checks.reduce((sum, { requests }) => sum + requests, 0);
}
