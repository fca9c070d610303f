import { maskFor, type Mask } from '../trace/mask.ts';
import { withoutLinkTokens } from '../trace/personal-data.ts';
import type { TargetAddress } from './address.ts';

/** Hides secrets and live links, wherever the target is. */
export function maskAt(_: Pick<TargetAddress, 'kind'>, secrets: ReadonlyMap<string, string>): Mask {
  const hideSecrets = maskFor(secrets);
  return (text) => withoutLinkTokens(hideSecrets(text));
}
