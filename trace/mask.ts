import { isReceived } from './links.ts';
import { secretMatcher, soughtOf } from './secrets/matcher.ts';

/** Replaces secrets in a text. */
export type Mask = (text: string) => string;

/** A mask for the given secrets, each with the text that takes its place. */
export function maskFor(secrets: ReadonlyMap<string, string>): Mask {
  return secretMatcher(soughtOf(secrets, isReceived)).hide;
}
