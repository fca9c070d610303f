import { shownWords } from './explaining.ts';
import { shownJson } from './json.ts';
import { shownMarkup } from './markup.ts';
import { viewOf, type Allowance, type View } from './veil.ts';

/** Texts in texts that are read: what stands deeper is hidden. */
const deepest = 2;

/**
 * The text of a body that was received as evidence shows it: what it is is told by the text itself, whatever its content type says.
 * JSON and markup keep their structure; elsewhere only known words and short numbers are shown.
 */
export function shownBody(text: string, allowance: Allowance): string {
  return allowance.known(shownIn(text, viewOf(allowance)));
}

/** The same, with a view that is told of what is hidden. */
export function shownIn(text: string, view: View): string {
  if (view.isOwn(text)) return text;
  const start = text.startsWith('\ufeff') ? 1 : 0;
  return text.slice(0, start) + (shownStructure(text.slice(start), view, 0) ?? shownWords(text.slice(start), view));
}

/** A text by its own structure; `undefined` where it has none. */
function shownStructure(text: string, view: View, depth: number): string | undefined {
  const nested = (value: string): string | undefined =>
    depth < deepest ? shownStructure(value, view, depth + 1) : undefined;
  const start = text.slice(0, longestLead).trimStart();
  const isWhole = depth === 0 && (start.startsWith('"') || start.startsWith('[') || start.startsWith('{'));
  if (isWhole || /^(?:\{\s*["}]|\[\s*["[{\]\d])/.test(start)) return shownJson(text, view, nested);
  return /^<[\p{L}_!?/]/u.test(start) ? shownMarkup(text, view) : undefined;
}

/** White space that may stand before a structure. */
const longestLead = 1_000;
