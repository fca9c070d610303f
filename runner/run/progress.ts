import { styleText } from 'node:util';
import type { Mask } from '../../trace/people/words-mask.ts';
import {
  failureLine,
  type Progress,
  type Paint,
  progressLine,
  isLineDue,
  clausesDone,
  clausesWith,
  doneClauses,
  emptyTally,
  newFailures,
  withEnded,
  withFile,
  type Tally,
  timeLeftMs,
} from '../../reports/progress-line.ts';
import type { FailureVerdict } from '../../reports/judge.ts';
import type { CheckResult } from '../../schemas/results.ts';
import { languageIn } from '../settings/setting-kinds.ts';
import { sayIn } from '../portuguese/in-portuguese.ts';
import type { SpecsWatcher } from './run-specs.ts';
import type { Environment } from '../settings/settings.ts';
import type { Language } from '../../reports/language.ts';
import { mustJudged, catalogue } from '../../contract/catalogue.ts';
import type { Run } from '../../targets/address.ts';
import { mayIssueForReal } from '../../targets/needs-met.ts';

/** What progress needs to know of a run. */
export interface WatchedRun {
  /** Ids of the clauses that it counts, and what it calls one. */
  readonly clauses: readonly string[];
  readonly clauseWord: Progress['clauseWord'];
  /** Requests sent so far. */
  readonly sent: () => number;
  /** Milliseconds that were waited so far for what did not come. */
  readonly pendingMs: () => number;
  /** Most requests a second; 0: no ceiling. */
  readonly maxRps: number;
  /** What a failed check makes of its clause. */
  readonly verdictOf: (clause: string, check: CheckResult) => FailureVerdict;
  readonly mask: Mask;
}

/** What progress takes from the process that it shows itself in. */
export interface Surroundings {
  readonly output: Output;
  readonly environment: Environment;
  /** Milliseconds of a clock that only goes forward. */
  readonly nowMs: () => number;
  /** Does something again and again until the function that it gives is called. */
  readonly every: (ms: number, task: () => void) => () => void;
  /** Does something when the process ends, until the function that it gives is called. */
  readonly onBreak: (task: () => void) => () => void;
}

/** Progress that is being shown. */
export interface ShownProgress {
  /** Is told how the specs are getting on. */
  readonly watcher: SpecsWatcher;
  /** Takes the progress off the terminal; to be called however the run ends, once or more. */
  readonly close: () => void;
  /** The clauses that are done so far. */
  readonly done: () => ReadonlySet<string>;
}

const refreshMs = 250;

/** Shows how far a run has come from when its specs start: in one line of a terminal, else in a few lines of a log. */
export function showProgress(run: WatchedRun, surroundings: Surroundings): ShownProgress {
  const { output, environment, nowMs, every, onBreak } = surroundings;
  const isTerminal = isRewritable(output, environment);
  const paint = isTerminal && !environment['NO_COLOR'] ? coloured : plain;
  const language = languageIn(environment);
  const speech = { language, say: sayIn(language) };
  const display = isTerminal ? rewrittenLine(output, paint, language) : quietLines(output, language);
  let tally = emptyTally(run.clauses);
  let startMs = 0;
  let closing: (() => void)[] = [];
  const elapsedMs = (): number => nowMs() - startMs;
  const now = (): Progress => progressOf(tally, run, elapsedMs());
  const close = (): void => {
    for (const task of closing) task();
  };
  return {
    close,
    done: () => new Set(doneClauses(tally)),
    watcher: {
      started(files) {
        tally = { ...tally, files };
        startMs = nowMs();
        closing = [every(refreshMs, () => display.show(now())), onBreak(close), () => display.close(now())];
        display.show(now());
      },
      read(file, checks) {
        tally = withFile(tally, file, checks);
      },
      ended(id, outcomes) {
        const failures = newFailures(tally, outcomes, run.verdictOf);
        tally = withEnded(tally, id, failures, elapsedMs());
        for (const failure of failures) display.announce(run.mask(failureLine(failure, paint, speech)));
      },
    },
  };
}

function progressOf(tally: Tally, { clauseWord, sent, pendingMs, maxRps }: WatchedRun, elapsedMs: number): Progress {
  const leftMs = timeLeftMs(tally, elapsedMs, maxRps);
  return {
    clauseWord,
    clausesDone: clausesDone(tally),
    clausesAll: tally.clauses.length,
    failed: clausesWith(tally, 'failed'),
    warned: clausesWith(tally, 'warned'),
    requests: sent(),
    pendingMs: pendingMs(),
    elapsedMs,
    ...(leftMs === undefined ? {} : { leftMs }),
  };
}

/** Whether a line can be written over: not in the log of a CI system, though some give it a terminal. */
function isRewritable({ isTTY }: Output, environment: Environment): boolean {
  const isCi = !['', '0', 'false'].includes(environment['CI'] ?? '');
  return isTTY === true && !isCi && environment['TERM'] !== 'dumb';
}

const coloured: Paint = (colour, text) => styleText(colour, text, { validateStream: false });
const plain: Paint = (_, text) => text;

/** What progress is written to: standard output, or a stand-in for it. */
interface Output {
  readonly isTTY?: boolean;
  /** Characters in a line of the terminal. */
  readonly columns?: number;
  write(text: string): unknown;
}

/** Shows how far a run has come, in the way that its output can take. */
interface ProgressDisplay {
  show(progress: Progress): void;
  /** Prints a whole line that stays. */
  announce(line: string): void;
  /** Shows where the run stands as it ends, and leaves the output at the start of a line. */
  close(progress: Progress): void;
}

/** Back to the start of the line, and what stands in it erased. The cursor is left to vitest, which hides it and shows it again. */
const erased = '\r\u{1b}[K';
const usualColumns = 80;

/** One line of a terminal, written over in place and gone at the end. */
function rewrittenLine(output: Output, paint: Paint, language?: Language): ProgressDisplay {
  let shown = '';
  const write = (line: string): void => {
    if (line !== shown) output.write(`${erased}${line}`);
    shown = line;
  };
  return {
    show(progress) {
      // In the last column some terminals would go on to the next line.
      write(progressLine(progress, paint, (output.columns || usualColumns) - 1, language));
    },
    announce(line) {
      output.write(`${shown === '' ? '' : erased}${line}\n${shown}`);
    },
    close() {
      write('');
    },
  };
}

/** Whole lines for a log, few of them, without escape sequences. */
function quietLines(output: Output, language?: Language): ProgressDisplay {
  let last: Progress | undefined;
  const show = (progress: Progress): void => {
    if (!isLineDue(last, progress)) return;
    last = progress;
    output.write(`${progressLine(progress, (_, text) => text, Infinity, language)}\n`);
  };
  return {
    show,
    announce: (line) => void output.write(`${line}\n`),
    close: show,
  };
}

/** The clauses by which a run shows how far it is: its must clauses, or all of them where it was asked for no must clause. */
export function watchedClauses({ clauses, address }: Run): Pick<WatchedRun, 'clauses' | 'clauseWord'> {
  const asked = catalogue.filter(({ id }) => clauses.includes(id));
  const must = mustJudged(asked, mayIssueForReal(address)).map(({ id }) => id);
  return must.length > 0 ? { clauses: must, clauseWord: 'must clause' } : { clauses, clauseWord: 'clause' };
}
