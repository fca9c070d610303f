import { faultsOfResults, isResults } from '../schemas/is-results.ts';
import type { Results } from '../schemas/results.ts';

/** Replaces secrets in a text. */
export type Mask = (text: string) => string;

/**
 * Results with secrets replaced in every text: once escaped for a page, a secret is no longer recognised. Throws where the
 * results don't fit their schema.
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
    now: maskedValue(own, mask),
  }));
  if (members.every(({ own, now }) => own === now)) return value;
  return Object.fromEntries(members.map(({ name, now }) => [name, now]));
}
