import { commonTexts } from './common-texts.ts';
import { isReceived } from './links.ts';
import type { Mask } from './masking.ts';
import { secretMatcher, soughtOf } from './secrets/matcher.ts';

/** A mask for the given secrets, each with the text that takes its place. Words that anybody says are no part of a secret. */
export function maskFor(secrets: ReadonlyMap<string, string>): Mask {
  return secretMatcher(soughtOf(secrets, isReceived), { common: commonTexts() }).hide;
}
