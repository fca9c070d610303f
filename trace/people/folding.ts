const folded = new Map<string, string>();

/** A character as it is compared: in lower case, without its accent. A mark that only changes the one before it is nothing. */
export function folding(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x80) return code >= 0x41 && code <= 0x5a ? character.toLowerCase() : character;
  const known = folded.get(character);
  if (known !== undefined) return known;
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  if (folded.size < mostKept) folded.set(character, plain);
  return plain;
}

const mostKept = 4_000;

/** A text in which no letter has an accent. */
export function withoutDiacritics(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}

/** A text as it is compared. */
export function foldedText(text: string): string {
  return withoutDiacritics(text).toLowerCase();
}
