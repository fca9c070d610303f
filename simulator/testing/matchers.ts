import { expect } from 'vitest';

/** Stands for a text that the pattern fits. */
export function textLike(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}

/** Stands for any text at all. */
export const anyText: unknown = expect.any(String);
