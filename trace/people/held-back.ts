import type { Mask } from '../masking.ts';
import { shownIn } from './body.ts';
import { foldedText } from './folding.ts';
import { shownHeader, shownHeaderName } from './headers.ts';
import { shownTarget } from './links.ts';
import { isSuiteWord } from './suite-words.ts';
import { isKnownWord } from './words.ts';
import { digitsIn } from './looks.ts';
import { readableText } from './readable.ts';
import { viewOf, type Allowance } from './veil.ts';

/** What was received, as far as it can hold people. */
export interface Received {
  readonly headers: readonly (readonly [string, string])[];
  readonly rawBody: Buffer;
  /** What stands on the request line of a delivery. */
  readonly target?: string;
}

/** Of one message; and so much of its text is read: no finding tells more of it. */
const most = { values: 5_000, characters: 20_000, text: 500_000 };

/**
 * The values of a message that evidence would not show, with what takes their place: free texts quote answers. The mask hides the secrets that stand in it. What is too short to
 * be anybody's is left out, since any text holds it.
 */
export function heldBack(
  { headers, rawBody, target }: Received,
  allowance: Allowance,
  mask: Mask = (text) => text,
): Map<string, string> {
  const held = new Map<string, string>();
  const view = viewOf(allowance, (value, stand) => {
    const text = value.trim().slice(0, most.characters);
    if (held.size < most.values && isTelling(text)) held.set(text, stand);
  });
  for (const [name, value] of headers) {
    shownHeaderName(mask(name), view);
    shownHeader(name, mask(value), view);
  }
  if (target !== undefined) shownTarget(mask(target), view);
  const text = readableText(rawBody)?.text;
  if (text !== undefined) shownIn(mask(text.slice(0, most.text)), view);
  return held;
}

/** Whether a value can tell of somebody wherever it stands: no few digits, and no words that servers or the suite say anyway. */
function isTelling(value: string): boolean {
  if (/^\d+$/.test(value)) return value.length >= 6;
  const words = foldedText(percentDecoded(value)).match(/\p{L}+/gu) ?? [];
  const isOfWords =
    words.length > 0 && words.every((word) => isKnownWord(word) || isSuiteWord(word)) && digitsIn(value) < 6;
  return value.length >= 3 && /[\p{L}\d]/u.test(value) && !isOfWords;
}

/** What stands in a query as `%C3%A7` is sought in its decoded form, too: so it is judged by its words in that form. */
function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
