/** What may stand in a hole of a template; of several that fit, it is the shortest. */
export interface Hole {
  /** What stands there is like this. */
  readonly whole: RegExp;
  /** So is each of its characters, so that a hole is looked for no further than one that isn't. */
  readonly each: RegExp;
}

/** A part of a template: characters that stand there as they are, or a hole. */
export type TemplatePiece = string | Hole;

/**
 * Reads what stands in the holes of a template; `undefined` for a text that is none of the template. What has failed at a place
 * isn't tried there again, so that the time grows with the square of the text at most, however many holes there are.
 */
export function filler(pieces: readonly TemplatePiece[]): (text: string) => readonly string[] | undefined {
  const literals = pieces.filter((piece) => typeof piece === 'string');
  return (text) => {
    if (!literals.every((literal) => text.includes(literal))) return undefined;
    return valuesFrom({ text, pieces, failed: new Set() }, 0, 0);
  };
}

interface Search {
  readonly text: string;
  readonly pieces: readonly TemplatePiece[];
  /** Places where the rest of the pieces was looked for in vain. */
  readonly failed: Set<number>;
}

function valuesFrom(search: Search, at: number, start: number): readonly string[] | undefined {
  const { text, pieces, failed } = search;
  const piece = pieces[at];
  if (piece === undefined) return start === text.length ? [] : undefined;
  if (typeof piece === 'string') {
    return text.startsWith(piece, start) ? valuesFrom(search, at + 1, start + piece.length) : undefined;
  }
  const place = at * (text.length + 1) + start;
  if (failed.has(place)) return undefined;
  const values = holeFrom(search, piece, at, start);
  if (values === undefined) failed.add(place);
  return values;
}

function holeFrom(search: Search, { whole, each }: Hole, at: number, start: number): readonly string[] | undefined {
  const { text } = search;
  for (let end = start; end <= text.length; end += 1) {
    const rest = valuesFrom(search, at + 1, end);
    const value = text.slice(start, end);
    if (rest !== undefined && whole.test(value)) return [value, ...rest];
    if (!each.test(text.charAt(end))) return undefined;
  }
  return undefined;
}
