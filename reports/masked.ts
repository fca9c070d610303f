import { faultsOfResults, isResults } from '../schemas/stored.ts';
import type { Results } from '../schemas/results.ts';
import type { Mask } from '../trace/people/words-mask.ts';

/**
 * Members whose texts are the suite's own, or one of a few words: nobody else's text stands there, and a secret that is like
 * such a word must not break what reads it. Where one is a secret all the same, the file is withheld.
 */
export const ownMembers: ReadonlySet<string> = new Set(
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
