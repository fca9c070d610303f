/** Whether the system refused to read or write a file. */
export function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

/** What went wrong with a file, as the code of the system (`ENOENT`). */
export function fileErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
