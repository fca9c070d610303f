/** A list under a heading, of which a summary shows as many items as it has room for. */
export interface MarkdownList {
  readonly title: string;
  /** Each with the clauses that it tells of. */
  readonly items: readonly { readonly text: string; readonly clauses: number }[];
  /** Items that are shown at most. */
  readonly most: number;
  /** What stands around the items that are shown. */
  readonly frame: (items: string) => string;
}

/** Bytes for a heading, a frame, and the sentence on what is left out. */
const frameBytes = 500;

/**
 * The blocks of lists, the first of them with room first, in no more than so many bytes; of a list without items none. `moreText`
 * tells how many clauses a list leaves out.
 */
export function listsWithin(
  lists: readonly MarkdownList[],
  bytes: number,
  moreText: (clauses: number) => string,
): string[] {
  const told = lists.filter(({ items }) => items.length > 0);
  let left = bytes - told.length * frameBytes;
  return told.flatMap(({ title, items, most, frame }) => {
    const shown = textsWithin(items.slice(0, most), left);
    left -= bytesOf(shown);
    const more = items.slice(shown.length).reduce((sum, { clauses }) => sum + clauses, 0);
    return [`### ${title}`, shown.length === 0 ? '' : frame(shown.join('\n')), more === 0 ? '' : moreText(more)];
  });
}

function textsWithin(items: MarkdownList['items'], bytes: number): string[] {
  const texts = items.map(({ text }) => text);
  let left = bytes;
  const first = texts.findIndex((text) => {
    left -= bytesOf([text]);
    return left < 0;
  });
  return first < 0 ? texts : texts.slice(0, first);
}

/** Bytes of texts, each with a line end. */
export function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
}
