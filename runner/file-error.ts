/** What went wrong with a file, as the code of the system (`ENOENT`). */
export function fileErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
