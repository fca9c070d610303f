import { hidingTokens } from '../../client/evidence.ts';
import { maskFor, type Mask } from '../../client/mask.ts';
import { withoutLinkTokens, withoutPersonalData } from '../../client/personal-data.ts';
import type { Run } from '../../targets/address.ts';
import type { Target } from '../../targets/target.ts';
import type { TrialRecord } from './trial.ts';

/**
 * Hides the secrets of a run and of a check, every token that it sent, and on somebody's real server also what its answers say
 * of people.
 */
export function maskOf(run: Run, target: Target, { tokens }: TrialRecord): Mask {
  const hideSecrets = maskFor(new Map([...run.secrets, ...target.secrets]));
  const hideMore = run.address.kind === 'sandbox' ? withoutPersonalData : withoutLinkTokens;
  return hidingTokens((text) => hideMore(hideSecrets(text)), tokens);
}
