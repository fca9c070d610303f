import { usualHeaders } from './people/headers.ts';
import { knownWords } from './people/words.ts';
import { catalogue } from '../contract/catalogue.ts';
import { codes } from '../contract/values.ts';
import { endpoints, retiredEndpoints } from '../contract/endpoints.ts';
import { contractSentences } from '../contract/sentences.ts';
import { isReceived } from './links.ts';
import type { Mask } from './people/words-mask.ts';
import { secretMatcher, soughtOf } from './secrets/matcher.ts';

/** Names of members that answers have beside those of the contract. */
const usualMembers =
  'requestId request_id correlationId traceId serverTime timestamp statusCode errorCode sessionId jsessionid phpsessid serverid'.split(
    ' ',
  );

const ofContract = [
  ...catalogue.map(({ id, statement }) => `${id} ${statement}`),
  ...contractSentences.map(({ sentence }) => sentence),
  ...[...endpoints, ...retiredEndpoints].map(({ path }) => path),
  ...Object.values(codes).map(({ code, meaning }) => `${code} ${meaning}`),
  // What any server says is no sign of a secret that has the same word in it. One in a line: no part reaches over two.
  ...knownWords,
  ...usualHeaders,
  ...usualMembers,
].join('\n');

/** What the contract says, and these texts that are no secret either: a part of a secret that they hold is no sign of it. */
export function commonTexts(others: readonly (string | undefined)[] = []): readonly string[] {
  return [ofContract, ...others.filter((text) => text !== undefined)];
}

/** A mask for the given secrets, each with the text that takes its place. Words that anybody says are no part of a secret. */
export function maskFor(secrets: ReadonlyMap<string, string>): Mask {
  return secretMatcher(soughtOf(secrets, isReceived), { common: commonTexts() }).hide;
}
