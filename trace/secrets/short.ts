import type { Found } from './matcher.ts';
import type { Sought } from './pattern.ts';

/**
 * Finds secrets that are too short to be told from other words, such as the password of a certificate, where they stand as
 * words of their own: plain, in a JSON string or URL-encoded.
 */
export function shortSecrets(secrets: readonly Sought[]): (text: string) => Found[] {
  const spelt = secrets.flatMap(({ secret, stand }) => {
    const spellings = new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
    return [...spellings].map((spelling) => ({ spelling, stand }));
  });
  return (text) => spelt.flatMap(({ spelling, stand }) => wordsIn(text, spelling, stand));
}

function wordsIn(text: string, word: string, stand: string): Found[] {
  const found: Found[] = [];
  for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + word.length)) {
    const to = from + word.length;
    const isApart =
      !(isJoined(text, from - 1) && isJoined(text, from)) && !(isJoined(text, to - 1) && isJoined(text, to));
    if (isApart) found.push({ from, to, stand, isWhole: true, isExact: true, ways: [] });
  }
  return found;
}

/** Whether a letter or a digit stands there: two of them side by side are one word. */
function isJoined(text: string, at: number): boolean {
  return /^[\p{L}\p{N}]$/u.test(text.charAt(at));
}
