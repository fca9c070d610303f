import { addedVariants } from './added.ts';
import { breakerVariants, deliveryIdVariants, deliveryVariants, retryVariants } from './deliveries.ts';
import { denialVariants } from './denials.ts';
import { orderVariants, registrationVariants, transferVariants } from './gateway.ts';
import { messageVariants } from './messages.ts';
import { replacementVariants } from './replacement.ts';
import { answerVariants, jsonVariants } from './spelling.ts';
import { cancellationVariants, statusVariants } from './statuses.ts';
import { clockVariants, companyIdVariants, emptyVariants, linkVariants, timeVariants } from './values.ts';
import { draws } from '../wire/when.ts';
import { all, type Variant } from './variant.ts';
import { verificationVariants } from './verification.ts';

/** Variants by what they change, in the order in which they may be put together: no two groups change the same. */
const groups: readonly (readonly Variant[])[] = [
  orderVariants,
  transferVariants,
  cancellationVariants,
  // Together these may look like an envelope.
  [...registrationVariants, ...addedVariants],
  clockVariants,
  companyIdVariants,
  verificationVariants,
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

/** Some variants at once, at most one of each group, as the seed draws them. */
export function combination(seed: number): Variant {
  const draw = draws(seed);
  const chosen = groups.flatMap((group) =>
    draw() < 0.5 ? [] : group.slice(Math.floor(draw() * group.length)).slice(0, 1),
  );
  const names = chosen.map(({ id }) => id.replace('variant.', ''));
  return {
    id: `combination ${seed} of ${names.join(', ')}`,
    unlike: chosen.flatMap(({ unlike = [] }) => unlike),
    change: all(...chosen.map(({ change }) => change)),
  };
}
