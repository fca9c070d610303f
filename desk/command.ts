import { ArgumentError } from '../runner/command-line/argument-error.ts';
import { lastWord } from '../runner/command-line/last-word.ts';
import { TargetError } from '../runner/preflight/finding.ts';
import { SettingError } from '../runner/settings/settings.ts';

/** A command of the project. */
export interface Command {
  /** What it prints when it is asked for help. */
  readonly usage: string;
  /** Does its work; gives the exit status. @throws {ArgumentError} that says what to write instead */
  readonly run: (words: readonly string[]) => number | Promise<number>;
}

/** Why `error` ended a command, in a line; where the project itself is at fault, the place where it broke. */
function reason(error: unknown): string {
  const isExpected = error instanceof SettingError || error instanceof ArgumentError || error instanceof TargetError;
  return isExpected ? error.message : lastWord('the suite', error, process.env);
}

/** Runs a command, or prints its help; the process ends with its status, with 2 and one line that says why where it can't be followed. */
export async function runCommand({ usage, run }: Command, words: readonly string[]): Promise<void> {
  if (words.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exitCode = 0;
    return;
  }
  try {
    process.exitCode = await run(words);
  } catch (error) {
    process.stderr.write(`error: ${reason(error)}\n`);
    process.exitCode = 2;
  }
}
