import { faultsOfResults, isResults } from '../schemas/stored.ts';
import type { Results } from '../schemas/results.ts';
import type { Mask } from '../trace/people/words-mask.ts';
import { withStands, type SecretMatcher } from '../trace/secrets/matcher.ts';
import type { Language } from './language.ts';

/**
 * Members whose texts are the suite's own, or one of a few words: nobody else's text stands there, and a secret that is like
 * such a word must not break what reads it. Where one is a secret all the same, the file is withheld.
 */
const ownMembers: ReadonlySet<string> = new Set(
  (
    'format verdict trouble startedAt version commit kind id section level binds statement name file state title encoding ' +
    'as hash sent token clock channel source types endpoint first second complete'
  ).split(' '),
);

/**
 * Results with secrets replaced in every text but the suite's own: once escaped for a page, a secret is no longer recognised.
 * Throws where the results don't fit their schema.
 */
export function maskedResults(results: Results, mask: Mask): Results {
  const safe = maskedValue(results, mask);
  if (isResults(safe)) return safe;
  throw new Error(
    `the results of this run are not written, since they don't fit their schema: ${faultsOfResults(safe).join('; ')}`,
  );
}

/** A value with its texts masked. What holds no secret stays the same object: a copy of a large run would cost much memory. */
function maskedValue(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const masked = items.map((item) => maskedValue(item, mask));
    return masked.every((item, index) => item === items[index]) ? value : masked;
  }
  const members = Object.entries(value).map(([name, own]: [string, unknown]) => ({
    name,
    own,
    now: ownMembers.has(name) && isOfTexts(own) ? own : maskedValue(own, mask),
  }));
  if (members.every(({ own, now }) => own === now)) return value;
  return Object.fromEntries(members.map(({ name, now }) => [name, now]));
}

function isOfTexts(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}

/** The last search of what is about to be written. */
export type LastSearch = Pick<SecretMatcher, 'sought' | 'find'>;

/** A secret that all masks had missed: the file that was about to be written with it, and what stands for it. */
export type Leak = NonNullable<Results['defects']>[number];

/** A text with what stands for each secret that is in it, and which those are. */
export interface Mended {
  readonly text: string;
  readonly secrets: readonly string[];
}

/** A text without the secrets that a search finds in it. */
export function mended(text: string, search: LastSearch | undefined): Mended {
  const found = search?.find(text) ?? [];
  if (found.length === 0) return { text, secrets: [] };
  return { text: withStands(text, found), secrets: [...new Set(found.map(({ stand }) => stand))] };
}

/** What leaks that were mended are told as: a sentence for each secret. */
export function leakTexts(leaks: readonly Leak[], language: Language = 'en'): readonly string[] {
  return [...Map.groupBy(leaks, ({ secret }) => secret)].map(([secret, own]) => {
    const files = own.map(({ file }) => file).join(', ');
    return sentences[language](secret, files);
  });
}

const sentences: Readonly<Record<Language, (secret: string, files: string) => string>> = {
  en: (secret, files) =>
    `A defect of the suite: its masks had missed ${secret} in ${files}, where the last search replaced it. ` +
    'The verdict is not touched by that; please report it.',
  'pt-BR': (secret, files) =>
    `Um defeito da suíte: suas máscaras não tinham visto ${secret} em ${files}, onde a última busca o substituiu. ` +
    'O veredito não é afetado; por favor, relate o caso.',
};
