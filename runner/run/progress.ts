import { styleText } from 'node:util';
import type { Mask } from '../../trace/people/words-mask.ts';
import { failureLine } from '../../reports/progress/line.ts';
import type { Progress } from '../../reports/progress/progress.ts';
import type { FailureVerdict } from '../../reports/judge.ts';
import {
  clausesDone,
  clausesWith,
  doneClauses,
  emptyTally,
  newFailures,
  withEnded,
  withFile,
  type Tally,
} from '../../reports/progress/tally.ts';
import type { CheckResult } from '../../schemas/results.ts';
import type { Paint } from '../../reports/terminal/paint.ts';
import { timeLeftMs } from '../../reports/progress/time-left.ts';
import { quietLines, rewrittenLine, type Output, type ProgressDisplay } from './progress-display.ts';
import { languageIn } from '../settings/language.ts';
import type { SpecsWatcher } from './run-specs.ts';
import type { Environment } from '../settings/settings.ts';

/** What progress needs to know of a run. */
export interface WatchedRun {
  /** Ids of the clauses that it counts, and what it calls one. */
  readonly clauses: readonly string[];
  readonly clauseWord: Progress['clauseWord'];
  /** Requests sent so far. */
  readonly sent: () => number;
  /** Most requests a second; 0: no ceiling. */
  readonly maxRps: number;
  /** Milliseconds that the last run of the same took, which is the guess while nothing better is known. */
  readonly earlierMs?: number;
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
        announce(
          display,
          failures.map((failure) => run.mask(failureLine(failure, paint, language))),
        );
      },
    },
  };
}

function announce(display: ProgressDisplay, lines: readonly string[]): void {
  for (const line of lines) display.announce(line);
}

function progressOf(tally: Tally, { clauseWord, sent, maxRps, earlierMs }: WatchedRun, elapsedMs: number): Progress {
  const leftMs = timeLeftMs(tally, elapsedMs, maxRps) ?? leftByEarlierMs(tally, elapsedMs, earlierMs);
  return {
    clauseWord,
    clausesDone: clausesDone(tally),
    clausesAll: tally.clauses.length,
    failed: clausesWith(tally, 'failed'),
    warned: clausesWith(tally, 'warned'),
    requests: sent(),
    elapsedMs,
    ...(leftMs === undefined ? {} : { leftMs }),
  };
}

/** The part of the clauses after which they may foretell the rest, where an earlier run foretells more. */
const tellingClausesShare = 0.25;

/** What is left of the time that an earlier run took; less, where this one is getting on faster. */
function leftByEarlierMs(tally: Tally, elapsedMs: number, earlierMs = 0): number | undefined {
  if (earlierMs <= elapsedMs) return undefined;
  const share = clausesDone(tally) / tally.clauses.length;
  const byShareMs = share < tellingClausesShare ? Infinity : (elapsedMs * (1 - share)) / share;
  return Math.min(earlierMs - elapsedMs, byShareMs);
}

/** Whether a line can be written over: not in the log of a CI system, though some give it a terminal. */
function isRewritable({ isTTY }: Output, environment: Environment): boolean {
  const isCi = !['', '0', 'false'].includes(environment['CI'] ?? '');
  return isTTY === true && !isCi && environment['TERM'] !== 'dumb';
}

const coloured: Paint = (colour, text) => styleText(colour, text, { validateStream: false });
const plain: Paint = (_, text) => text;
