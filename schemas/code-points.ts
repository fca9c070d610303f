/** Code points of a text, so many of them from its start, with what shows of each: "U+0065 e, U+0301 ◌́". */
export function codePointsOf(text: string, count: number): string {
  const points = Array.from(text)
    .slice(0, count)
    .map((character) => {
      const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      const shown = /[\p{C}\p{Z}]/u.test(character) ? '' : ` ${/\p{M}/u.test(character) ? '◌' : ''}${character}`;
      return `U+${hex}${shown}`;
    });
  return points.join(', ');
}

/** UTF-16 units that two texts begin with alike, no pair of them cut. */
export function sharedStart(one: string, other: string): number {
  let at = 0;
  for (const character of one) {
    if (!other.startsWith(character, at)) return at;
    at += character.length;
  }
  return at;
}
