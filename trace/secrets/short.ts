import type { FoundSecret } from './found.ts';
import type { SoughtSecret } from './pattern.ts';

/**
 * Finds secrets of a few characters, such as the password of a certificate: plain, in a JSON string or URL-encoded. One that can't
 * be told from other words and numbers is found where it stands as a word of its own.
 */
export function shortSecrets(secrets: readonly SoughtSecret[]): (text: string) => FoundSecret[] {
  const spelt = secrets.flatMap(({ secret, stand }) => {
    const spellings = new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
    return [...spellings].map((spelling) => ({ spelling, stand, isAnywhere: isTelling(secret) }));
  });
  return (text) => spelt.flatMap((one) => wordsIn(text, one));
}

interface Spelt {
  readonly spelling: string;
  readonly stand: string;
  readonly isAnywhere: boolean;
}

/** Whether no word and no number is likely to hold it: letters with something else among them. */
function isTelling(secret: string): boolean {
  return secret.length >= leastTelling && /\p{L}/u.test(secret) && /[^\p{L}]/u.test(secret);
}

const leastTelling = 5;

function wordsIn(text: string, { spelling: word, stand, isAnywhere }: Spelt): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + word.length)) {
    const to = from + word.length;
    const isApart =
      !(isJoined(text, from - 1) && isJoined(text, from)) && !(isJoined(text, to - 1) && isJoined(text, to));
    if (isApart || isAnywhere) found.push({ from, to, stand, isWhole: true, isExact: true, ways: [] });
  }
  return found;
}

/** Whether a letter or a digit stands there: two of them side by side are one word. */
function isJoined(text: string, at: number): boolean {
  return /^[\p{L}\p{N}]$/u.test(text.charAt(at));
}
