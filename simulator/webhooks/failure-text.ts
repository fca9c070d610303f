/** The code and message of a failure, in one line without the stack: "ECONNREFUSED: connect …". */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const message = error instanceof AggregateError ? error.errors.map(failureText).join('; ') : error.message;
  return code === '' || message.includes(code) ? message : `${code}: ${message}`;
}
