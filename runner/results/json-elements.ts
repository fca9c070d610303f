/** Is handed the parts of a text in their order; all of them, one behind the other, are the text. */
export interface PartTaker {
  /** Takes an object of the array, whole. */
  readonly element: (text: string) => void;
  /** Takes what stands before an object, or behind the last one. */
  readonly between: (text: string) => void;
}

/** Takes the text of a JSON object piece by piece, and tells the objects in one array of its top level from the rest. */
export interface ElementReader {
  /** Takes the next bytes; they may be overwritten afterwards. */
  readonly take: (bytes: Buffer) => void;
  /** No more bytes come: what is left is handed over. */
  readonly end: () => void;
}

/** Longest text that a name, a colon and the white space between them are looked for in. */
const longestName = 200;

/**
 * A reader of the objects in the array of that name, so that a large file need not be held as a whole. It checks nothing: what
 * is no JSON shows when its parts are parsed.
 */
export function elementReader(name: string, parts: PartTaker): ElementReader {
  const isNamed = new RegExp(`"${RegExp.escape(name)}"\\s*:\\s*$`);
  const place: Place = { depth: 0, isInString: false, isEscaped: false };
  let [pieces, isInArray, isInElement]: [Buffer[], boolean, boolean] = [[], false, false];

  const handOver = (last: Buffer): void => {
    (isInElement ? parts.element : parts.between)(textOf([...pieces, last]));
    pieces = [];
  };

  return {
    take(bytes) {
      let start = 0;
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at] ?? 0;
        const step = stepOver(place, byte);
        if (step === 0) continue;
        if (step > 0 && place.depth === 2) isInArray = isNamed.test(endOf([...pieces, bytes.subarray(start, at)]));
        if (step > 0 && place.depth === 3 && isInArray && byte === openBrace) {
          handOver(bytes.subarray(start, at));
          [start, isInElement] = [at, true];
        }
        if (step < 0 && place.depth === 2 && isInElement) {
          handOver(bytes.subarray(start, at + 1));
          [start, isInElement] = [at + 1, false];
        }
      }
      pieces.push(Buffer.from(bytes.subarray(start)));
    },
    end: () => handOver(Buffer.alloc(0)),
  };
}

/** Where in a JSON text a reader is. */
interface Place {
  /** How many objects and arrays are open. */
  depth: number;
  isInString: boolean;
  isEscaped: boolean;
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d];

/** Steps over a byte: 1 where it opens an object or an array, -1 where it closes one, else 0. */
function stepOver(place: Place, byte: number): 1 | 0 | -1 {
  if (place.isInString) {
    if (place.isEscaped) place.isEscaped = false;
    else if (byte === backslash) place.isEscaped = true;
    else if (byte === quote) place.isInString = false;
    return 0;
  }
  switch (byte) {
    case quote:
      place.isInString = true;
      return 0;
    case openBrace:
    case openBracket:
      place.depth += 1;
      return 1;
    case closeBrace:
    case closeBracket:
      place.depth -= 1;
      return -1;
    default:
      return 0;
  }
}

/** The end of a text that comes in pieces. */
function endOf(pieces: readonly Buffer[]): string {
  const ends = pieces.slice(-longestName).map((piece) => piece.subarray(-longestName));
  return Buffer.concat(ends).subarray(-longestName).toString('utf8');
}

/** One piece is read as it stands: joining copies it. */
function textOf(pieces: readonly Buffer[]): string {
  const [only, ...others] = pieces;
  return (only && others.length === 0 ? only : Buffer.concat(pieces)).toString('utf8');
}
