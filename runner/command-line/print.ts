/** Prints a text, or some lines, and what ends a line. */
export function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
