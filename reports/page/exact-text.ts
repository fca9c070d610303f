/** A piece of an exact text as the page has it: the text itself, or a spelling of what can't stand in the page. */
export interface ShownPiece {
  readonly text: string;
  readonly isSpelt: boolean;
}

/** The exact text of what `exactText` of reports/html/markup.ts shows. */
export function exactTextOf(pieces: readonly ShownPiece[]): string {
  return pieces.map(({ text, isSpelt }) => (isSpelt ? unspelt(text) : text)).join('');
}

const short: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t' };

/** What a spelling stands for: `\r`, `\n`, `\t` or `\u{1b}` in it are one character each. */
function unspelt(spelling: string): string {
  return spelling.replace(/\\(?:([rnt])|u\{([0-9a-f]{1,6})\})/g, (_, letter?: string, hex?: string) =>
    letter === undefined ? String.fromCodePoint(Number.parseInt(hex ?? '', 16)) : (short[letter] ?? ''),
  );
}
