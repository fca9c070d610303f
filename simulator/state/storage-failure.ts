/** SQLite's codes for a disk that takes nothing more, or fails. */
const full = 13;
const inputOutput = 10;

/** What is wrong with the disk of the data file, where that is why `error` was thrown. */
export function storageFailure(error: unknown): string | undefined {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  if (code === full) return 'the disk of the data file is full: nothing is kept until there is room';
  return code === inputOutput ? 'the disk of the data file fails: nothing is kept until it works again' : undefined;
}
