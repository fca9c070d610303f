import { addedVariants } from './added.ts';
import { breakerVariants, deliveryIdVariants, deliveryVariants, retryVariants } from './deliveries.ts';
import { cancellationVariants, statusVariants, denialVariants } from './statuses.ts';
import { crowdVariants, orderVariants, registrationVariants, transferVariants } from './gateway.ts';
import { documentSpellingVariants, answerVariants, jsonVariants } from './spelling.ts';
import { messageVariants, replacementVariants } from './messages.ts';
import { clockVariants, companyIdVariants, emptyVariants, linkVariants, timeVariants } from './values.ts';
import { all, type Variant } from './variant.ts';
import { verificationVariants } from './verification.ts';

/** Variants by what they change, in the order in which they may be put together: no two groups change the same. */
const groups: readonly (readonly Variant[])[] = [
  orderVariants,
  transferVariants,
  crowdVariants,
  cancellationVariants,
  // Together these may look like an envelope.
  [...registrationVariants, ...addedVariants],
  clockVariants,
  companyIdVariants,
  // Who is particular about a spelling does not serve it.
  [...documentSpellingVariants.slice(0, 1), ...verificationVariants, ...documentSpellingVariants.slice(1)],
  statusVariants,
  emptyVariants,
  linkVariants,
  denialVariants,
  timeVariants,
  replacementVariants,
  messageVariants,
  retryVariants,
  breakerVariants,
  deliveryVariants,
  deliveryIdVariants,
  jsonVariants,
  answerVariants,
];

/** Legal variations. */
export const variants: readonly Variant[] = groups.flat();

/** Combinations in a run of all mutants: each variant alone would take an hour. */
export const usualCombinations = 6;

/**
 * Many variants at once: the nth of each group in turn, and none of it after its last. So a few combinations have many of the
 * variants, and hardly two of these come together twice.
 */
export function combination(nth: number): Variant {
  const chosen = groups.flatMap((group) => group[(nth - 1) % (group.length + 1)] ?? []);
  const names = chosen.map(({ id }) => id.replace('variant.', ''));
  return {
    id: `combination ${nth} of ${names.join(', ')}`,
    unlike: chosen.flatMap(({ unlike = [] }) => unlike),
    change: all(...chosen.map(({ change }) => change)),
  };
}
