/** Takes the text of a JSON object piece by piece, apart from the objects in one array of its top level. */
export interface ElementReader {
  /** Takes the next bytes; hands each object of the array over once it is whole. */
  readonly take: (bytes: Buffer) => void;
  /** All but the objects of the array: in the place of each stands `null`. */
  readonly rest: () => string;
}

const [quote, backslash, brace] = [0x22, 0x5c, 0x7b];
const opening = new Set([brace, 0x5b]);
const closing = new Set([0x7d, 0x5d]);

/** Longest text that a name, a colon and the white space between them are looked for in. */
const longestName = 200;

/**
 * A reader that hands the objects in the array of that name to `onElement`, so that a large file need not be held as a whole.
 * It checks nothing: what is no JSON shows when its pieces are parsed.
 */
export function elementReader(name: string, onElement: (text: string) => void): ElementReader {
  const isNamed = new RegExp(`"${name}"\\s*:\\s*$`);
  const rest: Buffer[] = [];
  let element: Buffer[] = [];
  let [depth, isInArray, isInElement, isInString, isEscaped] = [0, false, false, false, false];

  // A copy: what is taken may be overwritten by the bytes that come next.
  const keep = (bytes: Buffer): void => void (isInElement ? element : rest).push(Buffer.from(bytes));
  const endOfRest = (bytes: Buffer): string => {
    const ends = [...rest.slice(-longestName), bytes].map((piece) => piece.subarray(-longestName));
    return Buffer.concat(ends).subarray(-longestName).toString('utf8');
  };

  return {
    take(bytes) {
      let start = 0;
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at] ?? 0;
        if (isInString) {
          if (isEscaped) isEscaped = false;
          else if (byte === backslash) isEscaped = true;
          else if (byte === quote) isInString = false;
        } else if (byte === quote) {
          isInString = true;
        } else if (opening.has(byte)) {
          if (depth === 1) isInArray = isNamed.test(endOfRest(bytes.subarray(start, at)));
          if (depth === 2 && isInArray && byte === brace) {
            keep(bytes.subarray(start, at));
            [start, isInElement] = [at, true];
          }
          depth += 1;
        } else if (closing.has(byte)) {
          depth -= 1;
          if (depth === 2 && isInElement) {
            onElement(textOf([...element, bytes.subarray(start, at + 1)]));
            [start, element, isInElement] = [at + 1, [], false];
            rest.push(Buffer.from('null'));
          }
        }
      }
      keep(bytes.subarray(start));
    },
    rest: () => Buffer.concat([...rest, ...element]).toString('utf8'),
  };
}

/** One piece is read as it stands: joining copies it. */
function textOf(pieces: readonly Buffer[]): string {
  const [only, ...others] = pieces;
  return (only && others.length === 0 ? only : Buffer.concat(pieces)).toString('utf8');
}
