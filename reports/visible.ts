/** Controls, marks that steer the direction of text, separators of lines, halves of surrogate pairs: what no eye can see. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text with everything invisible spelt out as in JavaScript: `\r`, `\n`, `\u{1b}`. The characters in `keep` stay. */
export function visible(text: string, keep = ''): string {
  return text.replace(unseen, (character) => (keep.includes(character) ? character : spelling(character)));
}

/** The text cut down to a number of characters, saying how long it was. */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest)}… (${text.length} characters in all)`;
}

const short: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '\t': '\\t' };

function spelling(character: string): string {
  return short[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
