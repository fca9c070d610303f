/** Thrown for a command line that can't be followed; the message says what to do. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

/** What `parse` makes of a command line; where it can't follow it, what is wrong, and the `hint` behind it. @throws {ArgumentError} */
export function parsedOrRefused<T>(parse: () => T, hint: string): T {
  try {
    return parse();
  } catch (error) {
    // Node's further sentences explain its own parser.
    const [why] = error instanceof Error ? error.message.split(/\.\s|\n/) : [String(error)];
    throw new ArgumentError(`${why}; ${hint}`);
  }
}

/** Whether the system refused to read or write a file. */
export function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

/** What went wrong with a file, as the code of the system (`ENOENT`). */
export function fileErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
