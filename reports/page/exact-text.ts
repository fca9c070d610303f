/** A piece of an exact text as the page shows it: plain text, or a mark that spells what no eye can see. */
export interface ShownPiece {
  readonly text: string;
  readonly isMark: boolean;
}

/**
 * The exact text of what `exactText` of reports/html/markup.ts shows. Line breaks between the marks are there for the eye
 * alone, since every line end of the text is a mark of its own.
 */
export function exactTextOf(pieces: readonly ShownPiece[]): string {
  return pieces.map(({ text, isMark }) => (isMark ? unspelt(text) : text.replaceAll('\n', ''))).join('');
}

const short: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t' };

/** What a mark stands for: `\r`, `\n`, `\t` or `\u{1b}`, one or more of them. */
function unspelt(mark: string): string {
  return mark.replace(/\\(?:([rnt])|u\{([0-9a-f]{1,6})\})/g, (_, letter?: string, hex?: string) =>
    letter === undefined ? String.fromCodePoint(Number.parseInt(hex ?? '', 16)) : (short[letter] ?? ''),
  );
}
