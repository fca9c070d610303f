import { progressLine, type Progress, isLineDue, type Paint } from '../../reports/progress/line.ts';
import type { Language } from '../../reports/language.ts';

/** What progress is written to: standard output, or a stand-in for it. */
export interface Output {
  readonly isTTY?: boolean;
  /** Characters in a line of the terminal. */
  readonly columns?: number;
  write(text: string): unknown;
}

/** Shows how far a run has come, in the way that its output can take. */
export interface ProgressDisplay {
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
export function rewrittenLine(output: Output, paint: Paint, language?: Language): ProgressDisplay {
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
export function quietLines(output: Output, language?: Language): ProgressDisplay {
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
