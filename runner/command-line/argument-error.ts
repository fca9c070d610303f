/** Thrown for a command line that can't be followed; the message says what to do. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}
