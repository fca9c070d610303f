import { ArgumentError } from './argument-error.ts';
import { lastWord } from './last-word.ts';
import { TargetError } from './preflight/target-error.ts';
import { SettingError } from './setting-error.ts';

/** What a command line that `parse` can't follow ends with: what is wrong with it, and the usage. @throws {ArgumentError} */
export function parsedOrRefused<T>(parse: () => T, usage: string): T {
  try {
    return parse();
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new ArgumentError(`${why}; usage: ${usage}`);
  }
}

/** Runs a command and ends with the status that it gives; 2, and one line that says why, where it can't be followed. */
export async function runCommand(command: (words: readonly string[]) => number | Promise<number>): Promise<void> {
  try {
    process.exitCode = await command(process.argv.slice(2));
  } catch (error) {
    const isExpected = error instanceof SettingError || error instanceof ArgumentError || error instanceof TargetError;
    const text = isExpected ? error.message : lastWord('the suite', error, process.env);
    process.stderr.write(`error: ${text}\n`);
    process.exitCode = 2;
  }
}
