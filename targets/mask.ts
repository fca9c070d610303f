import { maskFor, type Mask } from '../trace/mask.ts';
import { withoutLinkTokens, withoutPersonalData } from '../trace/personal-data.ts';
import type { TargetAddress } from './address.ts';

/** Hides secrets and live links, and on somebody's real server also what its answers say of people. */
export function maskAt({ kind }: Pick<TargetAddress, 'kind'>, secrets: ReadonlyMap<string, string>): Mask {
  const hideSecrets = maskFor(secrets);
  const hideMore = kind === 'sandbox' ? withoutPersonalData : withoutLinkTokens;
  return (text) => hideMore(hideSecrets(text));
}
