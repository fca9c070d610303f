import { commonTexts } from '../trace/common-texts.ts';
import { isReceived, withoutLinkTokens, wordsOfAddresses } from '../trace/links.ts';
import type { Mask } from '../trace/masking.ts';
import { secretMatcher, soughtOf } from '../trace/secrets/matcher.ts';
import type { SoughtSecret } from '../trace/secrets/pattern.ts';
import type { TargetAddress } from './address.ts';

/** What a mask hides besides secrets. */
export interface AlsoHidden {
  /** Tokens that were sent and are none of the secrets: each may be nearly one. */
  readonly tokens?: Iterable<string>;
}

/** Hides secrets and live links, wherever the target is. */
export function maskAt(
  { baseUrl, credentials, webhook }: Pick<TargetAddress, 'kind'> & Partial<TargetAddress>,
  secrets: ReadonlyMap<string, string>,
  { tokens = [] }: AlsoHidden = {},
): Mask {
  const common = commonTexts([baseUrl, credentials?.appKey, credentials?.appName]);
  const { hide } = secretMatcher([...soughtOf(secrets, isReceived), ...otherTokens(tokens, secrets)], { common });
  const own = wordsOfAddresses([baseUrl, webhook?.publicUrl]);
  return (text) => withoutLinkTokens(hide(text), own);
}

/** Below this a token can't be nearly a secret, and hiding it would blot out half a report. */
const leastTokenLength = 6;

function otherTokens(tokens: Iterable<string>, secrets: ReadonlyMap<string, string>): SoughtSecret[] {
  return [...tokens]
    .filter((token) => token.length >= leastTokenLength && !secrets.has(token))
    .map((secret) => ({ secret, stand: `(another token of ${secret.length} characters)`, isWholeOnly: true }));
}
