import { closeSync, copyFileSync, openSync, writeFileSync } from 'node:fs';
import { mended, type LastSearch } from '../../reports/leaks.ts';
import type { Mask } from '../../trace/people/words-mask.ts';
import { ownMembers } from '../../reports/masked.ts';
import { elementReader } from './json-elements.ts';
import { piecesOf } from './json-file.ts';

/**
 * Copies a results file through the mask, a clause at a time, so that a large one need not be held as a whole. Gives what
 * stands for each secret that the mask has missed, and that the search replaced; without a search there are no
 * secrets, and the copy is the file. Throws an ArgumentError where `from` can't
 * be read.
 */
export function copyResults(from: string, to: string, mask: Mask, search: LastSearch | undefined): readonly string[] {
  if (search === undefined) {
    copyFileSync(from, to);
    return [];
  }
  const found = new Set<string>();
  const copy = openSync(to, 'w');
  // No string of JSON, and so no secret, reaches from one part into the next.
  const write = (text: string): void => {
    const { text: safe, secrets } = mended(maskedJson(text, mask), search);
    for (const stand of secrets) found.add(stand);
    writeFileSync(copy, safe);
  };
  try {
    const reader = elementReader('clauses', { element: write, between: write });
    for (const piece of piecesOf(from)) reader.take(piece);
    reader.end();
  } finally {
    closeSync(copy);
  }
  return [...found];
}

/** A text of a JSON document, with the colon behind it where it is a name. One that isn't closed reaches to the end. */
const texts = /"(?:[^"\\]|\\[^])*"?(?:\s*:)?/g;

/** A part of a JSON text with secrets replaced in its texts: names and numbers stay, and so does what the suite's own words are. */
function maskedJson(json: string, mask: Mask): string {
  if (mask(json) === json) return json;
  let ownText = -1;
  return json.replace(texts, (whole, at: number) => {
    const name = /^"([^"\\]*)"\s*:$/.exec(whole)?.[1];
    if (name !== undefined && ownMembers.has(name)) ownText = at + whole.length + spacesAt(json, at + whole.length);
    return whole.endsWith(':') || at === ownText ? whole : mask(whole);
  });
}

function spacesAt(json: string, at: number): number {
  const spaces = /\s*/y;
  spaces.lastIndex = at;
  return spaces.exec(json)?.[0].length ?? 0;
}
